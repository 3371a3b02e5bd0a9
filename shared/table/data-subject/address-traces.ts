import { isOptedOut } from '../../compliance/opt-out.ts';
import { iso } from '../../kit/time.ts';
import { channels, textChannels } from '../../messages/message.ts';
import { optOutFrom, optOutKey } from '../contacts/opt-out-items.ts';
import {
  hasAddress,
  namelessUpdate,
  reasonIn,
  suppressionFrom,
  suppressionKeys,
} from '../contacts/suppression-items.ts';
import { keyIn } from '../keys.ts';
import { openUntilIn, windowKey } from '../messages/window-store.ts';
import { versionAsRead } from '../writes.ts';
import type { Address, DataSubject, Stores, Trace } from './trace.ts';

/** What is kept of an address itself, with or without a contact. Of an opt-out the fingerprint stays, so that the address is not written to again. */
export const addressTraces = ({ table }: Stores) => {
  const suppressions = async ({ account, cipher }: DataSubject, address: Address): Promise<Trace[]> => {
    const keys = channels.flatMap((channel) => suppressionKeys(account.id, cipher, { channel, address }));
    const items = (await table.getAll(keys)).filter((item) => item !== undefined);
    return items.map((item): Trace => {
      const key = keyIn(item);
      if (!hasAddress(item))
        return { kind: 'suppression', holds: { channel: item['channel'], reason: reasonIn(item), address: null } };
      const erase = async () => (await table.update(namelessUpdate(key))).done;
      return { kind: 'suppression', holds: suppressionFrom(cipher, item), erase };
    });
  };

  const ofPhone = async ({ account, cipher }: DataSubject, phone: string): Promise<Trace[]> => {
    const keys = [optOutKey(account.id, cipher, phone), windowKey(account.id, cipher, phone)] as const;
    const [optOut, window] = await table.getAll(keys);
    const { said, version } = optOutFrom(optOut);
    const isKept = textChannels.some((channel) => isOptedOut(said, channel));
    // All of a person is read before it is erased, and a STOP may arrive meanwhile.
    const removeOptOut = async () =>
      (await table.transact([{ Delete: { Key: keys[0], ...versionAsRead(version) } }])) === undefined;
    const removeWindow = async () => {
      await table.remove(keys[1]);
      return true;
    };
    const openUntilMs = openUntilIn(window);
    return [
      ...(optOut ? [{ kind: 'optOut', holds: said, ...(!isKept && { erase: removeOptOut }) } as const] : []),
      ...(openUntilMs === undefined
        ? []
        : [{ kind: 'whatsappWindow', holds: { openUntil: iso(openUntilMs) }, erase: removeWindow } as const]),
    ];
  };

  return async (subject: DataSubject): Promise<Trace[]> => {
    const found = subject.addresses.map(async (address) => [
      ...(await suppressions(subject, address)),
      ...('phone' in address ? await ofPhone(subject, address.phone) : []),
    ]);
    return (await Promise.all(found)).flat();
  };
};
