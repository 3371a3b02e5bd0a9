import { channels, type Message } from '../shared/messages/message.ts';

/** The channels of the analytics object, counted from all rows. */
export const recountMessages = (messages: readonly Pick<Message, 'channel' | 'status'>[]) =>
  Object.fromEntries(
    channels.map((channel) => {
      const found = messages.filter((each) => each.channel === channel);
      const having = (...wanted: string[]) => found.filter(({ status }) => wanted.includes(status)).length;
      return [
        channel,
        {
          total: found.length,
          sent: having('sent'),
          delivered: having('delivered'),
          opened: having('opened'),
          clicked: having('clicked'),
          bounced: having('bounced'),
          failed: having('failed', 'rejected'),
        },
      ];
    }),
  );
