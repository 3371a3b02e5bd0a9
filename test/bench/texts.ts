import { newBench } from '../../functions/messages/send-text/send-text-fixture.ts';
import { acceptedText, handedOverText } from '../accepted-message.ts';
import { countConsumption } from '../consumption.ts';
import type { World } from '../world.ts';

/** DynamoDB calls and capacity units of an sms after it was accepted. */
export const benchTexts = async (world: World) => {
  const consumption = countConsumption(world.calls);
  const account = await world.newAccount();
  const { give } = newBench(world);
  const settings = { provider: null, sender: 'Shop', senderKind: 'masked', messagesPerSecond: 500 } as const;
  const paced = await world.newAccount({ settings: { sms: settings } });
  const work = async (count: number, of = account) => {
    const jobs = await Promise.all(Array.from({ length: count }, () => acceptedText(world, of)));
    return consumption.of(() => give(...jobs));
  };
  // The data key of an account is decrypted once.
  await work(1);
  const sent = await handedOverText(world, account);
  const report = { trigger: 'deliveryConfirmed' } as const;
  return {
    'worker, one sms': await work(1),
    'worker, ten sms of one account': await work(10),
    'worker, ten sms of an account with a pace': await work(10, paced),
    'delivery report of one sms': await consumption.of(() =>
      world.outcomeRecorder.record(account.ref, sent.id, report, Date.now()),
    ),
  };
};
