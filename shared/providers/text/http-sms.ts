import type { HttpGatewaySettings } from '../../accounts/provider-settings.ts';
import { hasSign, parseForeign, textAt } from '../../kit/json-pointer.ts';
import { segmentsOf } from '../../messages/segments.ts';
import type { Exchange, SendRequest } from '../http/pinned-request.ts';
import { isOfSetup, isSuccess, outcomeByStatus, outcomeWithoutAnswer, refusal } from './exchange-outcome.ts';
import { fillIn } from './fill-in.ts';
import type { TextOutcome, TextProvider } from './text-provider.ts';

interface HttpSmsNeeds {
  /** The sender of a text. */
  readonly sender: string;
  readonly request: SendRequest;
}

/** An sms gateway that is called over HTTP, as an account's settings describe it. Redirects are not followed: they are refusals. */
export const httpSms = (gateway: HttpGatewaySettings, { sender, request }: HttpSmsNeeds): TextProvider => ({
  takesReference: gateway.takesReference,
  send: async ({ to, text, messageId, reportUrl }) => {
    const { encoding: name } = segmentsOf(text);
    const number = { to, toDigits: to.replace('+', '') };
    const encoding = gateway.encodings?.[name] ?? name;
    const filled = fillIn(gateway, { ...number, from: sender, text, encoding, messageId, reportUrl });
    return outcomeOf(gateway, await request({ method: gateway.method, ...filled }));
  },
});

const outcomeOf = ({ answer: signs }: HttpGatewaySettings, { answer, failure }: Exchange): TextOutcome => {
  if (!answer) return outcomeWithoutAnswer(failure);
  const byStatus = outcomeByStatus(answer);
  if (byStatus) return byStatus;

  const isWhole = !failure && !answer.isCut;
  // A body that is not JSON is plain text, which the empty pointer selects.
  const document = isWhole ? (parseForeign(answer.body) ?? answer.body.trim()) : undefined;
  const valueAt = (pointer: string | undefined) =>
    (pointer === undefined ? undefined : textAt(document, pointer)) || undefined;
  if (isSuccess(answer)) {
    if (!signs.accepted || hasSign(document, signs.accepted))
      return { kind: 'accepted', reference: valueAt(signs.reference) };
    if (!isWhole) return { kind: 'unknown' };
  }
  return refusal(
    valueAt(signs.code) ?? `http_${answer.statusCode}`,
    valueAt(signs.reason) ?? `The gateway responded with status ${answer.statusCode} and did not accept the message.`,
    isOfSetup(answer),
  );
};
