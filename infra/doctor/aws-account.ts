import * as z from 'zod';
import { type AwsCall, type CallAws, queryCall, textsIn } from '../aws-calls.ts';
import { StartFailure } from '../local/start-failure.ts';
import { parts } from '../routes.ts';

/** The versions of AWS's JSON protocol that the services speak. */
const jsonVersions = { ssm: '1.1', 'sms-voice': '1.0' } as const;

const cloudFormation = ['cloudformation', '2010-05-15'] as const;

/** AWS refused a call. */
export class AwsRefusal extends Error {
  override readonly name = 'AwsRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The stacks of a stage. Other stacks of an AWS account may begin with its name too. */
export const stacksOf = (stage: string): readonly string[] => [...requiredStacksOf(stage), `${stage}-firewall`];

/** The stacks that a stage has with any settings. */
export const requiredStacksOf = (stage: string): readonly string[] =>
  ['data', 'api', ...parts, 'front', 'work'].map((part) => `${stage}-${part}`);

export interface DeployedStack {
  readonly name: string;
  readonly status: string;
}

interface StackResource {
  readonly logicalId: string;
  /** Undefined while it is not made. */
  readonly physicalId: string | undefined;
}

const messages = z.object({ message: z.string().optional(), Message: z.string().optional() });

const reasonIn = (text: string, status: number): string => {
  const [inXml] = textsIn(text, 'Message');
  if (inXml !== undefined) return inXml;
  try {
    const { message, Message } = messages.parse(JSON.parse(text));
    return message ?? Message ?? `status ${status}`;
  } catch {
    return `status ${status}`;
  }
};

const environmentSchema = z.object({
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }).default({ Variables: {} }),
});

/** What can be asked of an AWS account and the deployment of a stage in it. Each question throws an `AwsRefusal` when it is refused. */
export const openAwsAccount = (call: CallAws, stage: string) => {
  const answerOf = async (question: AwsCall): Promise<string> => {
    const response = await call(question);
    const text = await response.text();
    if (!response.ok) throw new AwsRefusal(response.status, reasonIn(text, response.status));
    return text;
  };
  const query = (service: string, Version: string, Action: string, parameters: Readonly<Record<string, string>> = {}) =>
    answerOf(queryCall(service, { Action, Version, ...parameters }));
  const json = async <T>(schema: z.ZodType<T>, question: AwsCall): Promise<T> =>
    schema.parse(JSON.parse(await answerOf(question)));
  const get = <T>(schema: z.ZodType<T>, service: string, path: string, host = service): Promise<T> =>
    json(schema, { service, host, method: 'GET', path });
  const jsonCall = <T>(
    schema: z.ZodType<T>,
    service: keyof typeof jsonVersions,
    target: string,
    body: object = {},
  ): Promise<T> =>
    json(schema, {
      service,
      headers: { 'content-type': `application/x-amz-json-${jsonVersions[service]}`, 'x-amz-target': target },
      body: JSON.stringify(body),
    });

  /** All pages of an answer in XML. */
  const pages = async (
    [service, version]: readonly [service: string, version: string],
    action: string,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    let [text, NextToken]: [string, string | undefined] = ['', ''];
    while (NextToken !== undefined) {
      const more = NextToken === '' ? {} : { NextToken };
      const page = await query(service, version, action, { ...parameters, ...more });
      text += page;
      [NextToken] = textsIn(page, 'NextToken');
    }
    return text;
  };

  const resources = async (stack: string, type: string): Promise<readonly StackResource[]> => {
    const xml = await pages(cloudFormation, 'ListStackResources', { StackName: `${stage}-${stack}` });
    return textsIn(xml, 'member')
      .filter((one) => textsIn(one, 'ResourceType')[0] === type)
      .map((one) => {
        const [logicalId = '', physicalId] = ['LogicalResourceId', 'PhysicalResourceId'].map(
          (part) => textsIn(one, part)[0],
        );
        return { logicalId, physicalId };
      });
  };

  /** The resource of a stack of this type, whose logical id is this name without its hyphens, and eight digits of the CDK. Undefined: there is none. */
  const resource = async (stack: string, type: string, name: string): Promise<string | undefined> => {
    const logicalIds = new RegExp(`^${name.replaceAll('-', '')}[0-9A-F]{8}$`);
    return (await resources(stack, type)).find(({ logicalId }) => logicalIds.test(logicalId))?.physicalId;
  };

  return {
    query,
    pages,
    get,
    jsonCall,
    resource,
    resources,

    /** How many files a bucket has; a page of a thousand is the most that is looked at. */
    filesIn: async (bucket: string): Promise<number> => {
      const xml = await answerOf({ service: 's3', method: 'GET', path: `/${bucket}?list-type=2` });
      return Number(textsIn(xml, 'KeyCount')[0] ?? 0);
    },

    /** The stacks of the stage. One whose first change set was refused has a name and nothing else. */
    stacks: async (): Promise<readonly DeployedStack[]> => {
      const xml = await pages(cloudFormation, 'DescribeStacks');
      const names = textsIn(xml, 'StackName');
      const statuses = textsIn(xml, 'StackStatus');
      return names
        .map((name, n) => ({ name, status: statuses[n] ?? '' }))
        .filter(({ name, status }) => stacksOf(stage).includes(name) && status !== 'REVIEW_IN_PROGRESS');
    },

    /** The environment of a deployed function, which has the settings of its deployment. */
    settings: async (stack: string, functionName: string): Promise<Readonly<Record<string, string>>> => {
      const name = await resource(stack, 'AWS::Lambda::Function', functionName);
      if (name === undefined) return {};
      const path = `/2015-03-31/functions/${encodeURIComponent(name)}/configuration`;
      return (await get(environmentSchema, 'lambda', path)).Environment.Variables;
    },
  };
};

export type AwsAccount = ReturnType<typeof openAwsAccount>;

/**
 * Finds resources in these stacks of a stage, by their type and name: the first that is there. Undefined: none is.
 * @throws StartFailure when AWS refuses to look
 */
export const resourceFinder = (call: CallAws, stage: string, stacks: readonly string[]) => {
  const { resource } = openAwsAccount(call, stage);
  return async (type: string, name: string): Promise<string | undefined> => {
    for (const stack of stacks) {
      const found = await resource(stack, type, name).catch((thrown: unknown) => {
        throw thrown instanceof AwsRefusal ? new StartFailure(`AWS refuses to look: ${thrown.message}`) : thrown;
      });
      if (found !== undefined) return found;
    }
    return undefined;
  };
};
