import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { CallAws } from '../aws-calls.ts';
import { listenLocally } from '../local/listen-locally.ts';
import { requiredStacksOf } from './aws-account.ts';

/** An answer of AWS: XML, JSON, or a refusal. */
type Answer = string | object | { readonly status: number; readonly body: string };

const smsTopic = 'arn:aws:sns:eu-west-1:123456789012:sms-events';
/** A number whose texts come to the stage, with AWS's own answers to STOP. */
export const twoWay = { TwoWayEnabled: true, TwoWayChannelArn: smsTopic };
/** The stacks of `prod`, as CloudFormation describes them. */
export const deployedStacks = (statuses: Readonly<Record<string, string>> = {}): string =>
  requiredStacksOf('prod')
    .map((name) => [name, statuses[name] ?? 'UPDATE_COMPLETE'])
    .filter(([, status]) => status !== 'absent')
    .map(([name, status]) => `<StackName>${name}</StackName><StackStatus>${status}</StackStatus>`)
    .join('');
/** A healthy account with the deployment `prod`, by action, target or path. */
const healthy: Readonly<Record<string, Answer>> = {
  GetCallerIdentity: '<Arn>arn:aws:iam::123456789012:user/ada</Arn>',
  'AmazonSSM.GetParameter': { Parameter: { Value: '30' } },
  DescribeStacks: deployedStacks(),
  'ListStackResources prod-messaging': resource('messages-send-message', 'AWS::Lambda::Function', 'send-message-X1'),
  'ListStackResources prod-work':
    resource('messages-send-text', 'AWS::Lambda::Function', 'send-text-X1') +
    resource('messages-send-text-sms', 'AWS::Lambda::EventSourceMapping', 'uuid-of-sms') +
    resource('outbox-route-changes-stream', 'AWS::Lambda::EventSourceMapping', 'uuid-of-stream') +
    resource('scheduled-sweep-rhythm', 'AWS::Scheduler::Schedule', 'sweep-of-scheduled') +
    resource('payments-sweep-rhythm', 'AWS::Scheduler::Schedule', 'sweep-of-payments'),
  '/schedules/sweep-of-scheduled?groupName=prod-schedules': { State: 'ENABLED' },
  '/schedules/sweep-of-payments?groupName=prod-schedules': { State: 'ENABLED' },
  '/2015-03-31/event-source-mappings/uuid-of-sms': { State: 'Enabled' },
  '/2015-03-31/event-source-mappings/uuid-of-stream': { State: 'Enabled' },
  'ListStackResources prod-data':
    resource('alarms', 'AWS::SNS::Topic', 'arn:aws:sns:eu-west-1:123456789012:alarms') +
    resource('sms-events', 'AWS::SNS::Topic', smsTopic) +
    resource('schedules', 'AWS::Scheduler::ScheduleGroup', 'prod-schedules') +
    resource('failed-batches', 'AWS::S3::Bucket', 'prod-data-failedbatches'),
  '/prod-data-failedbatches?list-type=2': '<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>',
  '/2015-03-31/functions/send-message-X1/configuration': {
    Environment: { Variables: { PLATFORM_EMAIL: 'no-reply@mail.shop.example', MAIL_CONFIGURATION_SET: 'mailing' } },
  },
  '/2015-03-31/functions/send-text-X1/configuration': { Environment: { Variables: { SMS_PROVIDER: 'aws' } } },
  '/v2/email/account': {
    ProductionAccessEnabled: true,
    SendingEnabled: true,
    EnforcementStatus: 'HEALTHY',
    SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 120 },
  },
  '/v2/email/identities/mail.shop.example': { status: 404, body: '{"message":"Email identity does not exist."}' },
  '/v2/email/identities/shop.example': {
    VerifiedForSendingStatus: true,
    DkimAttributes: { SigningEnabled: true, Status: 'SUCCESS' },
    MailFromAttributes: { MailFromDomain: 'bounces.shop.example', MailFromDomainStatus: 'SUCCESS' },
  },
  '/v2/email/configuration-sets/mailing': { SendingOptions: { SendingEnabled: true } },
  '/v2/email/configuration-sets/mailing/event-destinations': {
    EventDestinations: [{ Enabled: true, MatchingEventTypes: ['DELIVERY', 'BOUNCE', 'COMPLAINT'] }],
  },
  '/2016-08-19/account-settings': {
    AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 500 },
  },
  '/2019-09-30/functions/send-message-X1/concurrency': { ReservedConcurrentExecutions: 250 },
  ListSubscriptionsByTopic: '<SubscriptionArn>arn:aws:sns:eu-west-1:123456789012:alarms:1</SubscriptionArn>',
  'PinpointSMSVoiceV2.DescribeAccountAttributes': {
    AccountAttributes: [{ Name: 'ACCOUNT_TIER', Value: 'PRODUCTION' }],
  },
  'PinpointSMSVoiceV2.DescribePhoneNumbers': {
    PhoneNumbers: [
      { PhoneNumberId: 'phone-1', PhoneNumber: '+18005550100', ...twoWay, SelfManagedOptOutsEnabled: true },
      { PhoneNumberId: 'phone-2', PhoneNumber: '+18005550101', TwoWayEnabled: false },
      { PhoneNumberId: 'phone-3', PhoneNumber: '+18005550102', ...twoWay, TwoWayChannelArn: `${smsTopic}-of-others` },
    ],
  },
  'PinpointSMSVoiceV2.DescribePools': { Pools: [] },
  'PinpointSMSVoiceV2.DescribeSpendLimits': {
    SpendLimits: [{ Name: 'TEXT_MESSAGE_MONTHLY_SPEND_LIMIT', EnforcedLimit: 500, MaxLimit: 1_000 }],
  },
};

function resource(name: string, type: string, physicalId: string): string {
  const other =
    '<member><ResourceType>AWS::IAM::Role</ResourceType><LogicalResourceId>messages</LogicalResourceId></member>';
  return `${other}<member><ResourceType>${type}</ResourceType><LogicalResourceId>${name.replaceAll('-', '')}213A2961</LogicalResourceId><PhysicalResourceId>${physicalId}</PhysicalResourceId></member>`;
}

/** The action of a form, with its stack, or the target of a JSON call, with the page that is asked for; or the path. */
const questionIn = (target: string | undefined, body: string, path: string): string => {
  if (target !== undefined) return [target, JSON.parse(body).NextToken ?? []].flat().join(' ');
  const form = new URLSearchParams(body);
  const parts = ['Action', 'StackName', 'NextToken'].map((name) => form.get(name));
  return parts.filter((part) => part !== null).join(' ') || path;
};

/** An AWS for the questions of `npm run doctor`. `changes` replace what a healthy account answers. */
export const startAwsStandIn = async () => {
  let answers = healthy;
  const unsigned: string[] = [];
  const asked = new Set<string>();
  const answerTo = (question: string): { readonly status: number; readonly body: string } => {
    asked.add(question);
    const answer = answers[question] ?? { status: 404, body: `<Message>Nobody answers ${question}</Message>` };
    if (typeof answer === 'object' && 'status' in answer)
      return { status: Number(answer.status), body: String(answer['body']) };
    return { status: 200, body: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  };
  const server = createServer(async (request, response) => {
    const { authorization, 'x-amz-target': target } = request.headers;
    const question = questionIn(target?.toString(), await text(request), String(request.url));
    if (!authorization?.startsWith('AWS4-HMAC-SHA256 Credential=')) unsigned.push(question);
    const { status, body } = answerTo(question);
    response.writeHead(status).end(body);
  });
  const call: CallAws = async ({ path = '/', headers, body = '' }) => {
    const answer = answerTo(questionIn(headers?.['x-amz-target'], body, path));
    return new Response(answer.body, { status: answer.status });
  };
  return {
    /** On a socket of this machine. */
    ...(await listenLocally(server)),
    /** The same without one, which takes a tenth of the time. */
    call,
    /** All questions that came. */
    asked,
    /** Questions that came without a signature. */
    unsigned,
    answer: (changes: Readonly<Record<string, Answer>>): void => {
      answers = { ...healthy, ...changes };
    },
  };
};
