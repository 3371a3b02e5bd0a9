import type { Status } from '../../messages/message.ts';
import type { MessagePlace } from './message-places.ts';

/** Keeps with a message that it was reported to have come to a status that it does not move to. Refused where that is kept already. */
export const lateReport = ({ item }: MessagePlace, to: Status) => ({
  Key: item,
  UpdateExpression: 'SET lateReports = list_append(if_not_exists(lateReports, :none), :report)',
  ConditionExpression: 'attribute_exists(PK) AND NOT contains(lateReports, :to)',
  ExpressionAttributeValues: { ':none': [], ':report': [to], ':to': to },
});
