import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { AwsCall, CallAws } from '../aws-calls.ts';
import { StartFailure } from '../local/start-failure.ts';

/** A way that messages leave, and the switch that AWS has for it. */
export interface Switch {
  readonly of: string;
  /** Whether all of it is on, or all of it off. A turn that was cut off may have left neither. */
  isAt(isOn: boolean): Promise<boolean>;
  /** Turned to where it is, it stays so. Resolves when it has its effect. */
  turn(isOn: boolean): Promise<void>;
}

/** Where the switches are. */
export interface Target {
  readonly call: CallAws;
  /** What AWS calls a function of ours. */
  functionName(name: string): Promise<string>;
}

const disabled = ['Disabling', 'Disabled'];
const settled = ['Enabled', 'Disabled'];
const askAgainMs = 500;

const mapping = z.object({ UUID: z.string(), State: z.string() });
const mappings = z.object({ EventSourceMappings: z.array(mapping) });
const configuration = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.string()) }) });
const configurationSet = z.object({ SendingOptions: z.object({ SendingEnabled: z.boolean() }) });

/**
 * The switches of emails, which SES refuses while its configuration set is off, and of texts and scheduled messages, whose queues keep them while
 * they feed no function.
 */
export const switchesOf = ({ call, functionName }: Target): readonly Switch[] => {
  const ask = async (asked: AwsCall): Promise<unknown> => {
    const response = await call({ ...asked, headers: { 'content-type': 'application/json' } });
    const text = await response.text();
    if (!response.ok) throw new StartFailure(`${asked.service} refuses ${asked.path}: ${text || response.status}`);
    return JSON.parse(text || '{}');
  };
  const lambda = (path: string, more: Partial<AwsCall> = { method: 'GET' }) =>
    ask({ service: 'lambda', path: `/2015-03-31/${path}`, ...more });
  const ses = (path: string, more: Partial<AwsCall> = { method: 'GET' }) =>
    ask({ service: 'ses', host: 'email', path: `/v2/email/configuration-sets/${path}`, ...more });

  const setName = async (): Promise<string> => {
    const name = await functionName('messages-send-message');
    const { Environment } = configuration.parse(await lambda(`functions/${encodeURIComponent(name)}/configuration`));
    return encodeURIComponent(Environment.Variables['MAIL_CONFIGURATION_SET'] ?? '');
  };

  const emails: Switch = {
    of: 'emails',
    isAt: async (isOn) => configurationSet.parse(await ses(await setName())).SendingOptions.SendingEnabled === isOn,
    turn: async (isOn) => {
      await ses(`${await setName()}/sending`, { method: 'PUT', body: JSON.stringify({ SendingEnabled: isOn }) });
    },
  };

  const queuesOf = (of: string, name: string): Switch => {
    const found = async () => {
      const FunctionName = encodeURIComponent(await functionName(name));
      return mappings.parse(await lambda(`event-source-mappings/?FunctionName=${FunctionName}`)).EventSourceMappings;
    };
    const untilSettled = async () => {
      while ((await found()).some(({ State }) => !settled.includes(State))) await sleep(askAgainMs);
    };
    return {
      of,
      isAt: async (isOn) => (await found()).every(({ State }) => disabled.includes(State) !== isOn),
      turn: async (isOn) => {
        const body = JSON.stringify({ Enabled: isOn });
        // Lambda takes some seconds, and refuses another change meanwhile: after a command that was cut off, or while a deployment changes it.
        await untilSettled();
        const turns = (await found()).map(({ UUID }) =>
          lambda(`event-source-mappings/${UUID}`, { method: 'PUT', body }),
        );
        // One that is refused leaves no other as it is.
        const outcomes = await Promise.allSettled(turns);
        await untilSettled();
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      },
    };
  };

  return [emails, queuesOf('texts', 'messages-send-text'), queuesOf('scheduled messages', 'messages-send-scheduled')];
};
