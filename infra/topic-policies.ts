import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Topic } from 'aws-cdk-lib/aws-sns';

/** Lets End User Messaging publish delivery reports and inbound sms to a topic, on behalf of this AWS account only. */
export const letSmsServiceTell = (topic: Topic): void => {
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('sms-voice.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': topic.stack.account } },
    }),
  );
};

/** Lets the alarms of this AWS account publish to a topic that is encrypted with the key. */
export const letAlarmsTell = (topic: Topic, key: Key): void => {
  const { account } = topic.stack;
  const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': account } },
  });
  topic.addToResourcePolicy(
    new PolicyStatement({ principals: [cloudWatch], actions: ['sns:Publish'], resources: [topic.topicArn] }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [cloudWatch],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
    }),
  );
};
