import type { Mistake } from './mistake.ts';

const oneReceipt = 'each payment that counts has one receipt, and no other has any';
const rightReceipt = 'a receipt goes to its payer, and names the payment and its mode';

/** Mistakes with receipts that the simulation must find. */
export const receiptMistakes: readonly Mistake[] = [
  {
    name: 'money that goes back has a receipt',
    file: 'functions/notices/give-notice/mail-receipt.ts',
    find: "    if (job.mark === 'surplus') return;\n",
    replace: '',
    breaks: [oneReceipt],
  },
  {
    name: 'a repeated job sends a second receipt',
    file: 'functions/notices/give-notice/mail-receipt.ts',
    find: 'newEmail(asked, receiptIdOf(payment.id))',
    replace: 'newEmail(asked, nthId(payment.id, 3_000 + Math.floor(needs.clock() % 997)))',
    breaks: [oneReceipt],
  },
  {
    name: 'a receipt that was not accepted is mailed',
    file: 'functions/notices/give-notice/mail-receipt.ts',
    find: "    if (acceptance !== 'accepted') return;\n",
    replace: '',
    breaks: ['no mail is of an unknown message'],
  },
  {
    name: 'a receipt that was cancelled while it waited is sent when its job comes again',
    file: 'functions/notices/give-notice/mail-receipt.ts',
    find: 'run: randomUUID(), isResumed: true }',
    replace: 'run: randomUUID() }',
    breaks: ['what was cancelled is gone, and is not sent'],
  },
  {
    name: 'receipts of test payments look like others',
    file: 'shared/checkout/receipt.ts',
    find: "session.livemode ? '' : '[TEST] '",
    replace: "''",
    breaks: [rightReceipt],
  },
];
