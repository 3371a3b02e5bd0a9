import { isolated } from '../../kit/isolated.ts';
import type { Language } from '../../kit/language.ts';
import { receiptTexts } from './receipt-texts.ts';

/** Every word that a payer reads, in both languages. `{name}` stands for a value. */
export const texts = {
  otherLanguage: { en: 'বাংলা', bn: 'English' },
  language: { en: 'Language', bn: 'ভাষা' },
  testMode: { en: 'Test mode: no money moves', bn: 'পরীক্ষামূলক: কোনো টাকা কাটা হবে না' },
  secure: {
    en: 'Secure payment. You enter card or wallet details only on the page of your payment provider.',
    bn: 'নিরাপদ পেমেন্ট। কার্ড বা ওয়ালেটের তথ্য শুধু পেমেন্ট প্রতিষ্ঠানের নিজস্ব পাতায় দেবেন।',
  },

  pay: { en: 'Pay {merchant}', bn: '{merchant}-কে পেমেন্ট' },
  due: { en: 'Amount to pay', bn: 'মোট পরিশোধ করতে হবে' },
  moreItems: { en: 'and {count} more', bn: 'এবং আরও {count}টি' },
  choose: { en: 'How would you like to pay?', bn: 'কীভাবে পেমেন্ট করবেন?' },
  payNow: { en: 'Pay {amount}', bn: '{amount} পরিশোধ করুন' },
  open: {
    en: 'You can pay here until {time}, Bangladesh time.',
    bn: 'এখানে {time} (বাংলাদেশ সময়) পর্যন্ত পেমেন্ট করতে পারবেন।',
  },
  questions: { en: 'Questions?', bn: 'কিছু জানতে চান?' },
  leave: { en: 'Cancel and go back', bn: 'বাতিল করে ফিরে যান' },
  returnToMerchant: { en: 'Return to {merchant}', bn: '{merchant}-এ ফিরে যান' },
  problem: { en: 'There is a problem', bn: 'একটি সমস্যা হয়েছে' },
  chooseAnother: {
    en: 'This payment method is no longer available. Choose another one',
    bn: 'এই মাধ্যমটি এখন আর চালু নেই। অন্য একটি মাধ্যম বেছে নিন',
  },
  chooseFirst: { en: 'Choose how you would like to pay', bn: 'কীভাবে পেমেন্ট করবেন তা বেছে নিন' },
  cardsAndBanks: {
    en: 'Cards, mobile banking and internet banking, through SSLCOMMERZ',
    bn: 'এসএসএলকমার্জের মাধ্যমে কার্ড, মোবাইল ব্যাংকিং ও ইন্টারনেট ব্যাংকিং',
  },
  bkashAccount: { en: 'From your bKash account', bn: 'আপনার বিকাশ অ্যাকাউন্ট থেকে' },

  declined: { en: 'The payment was declined', bn: 'পেমেন্টটি সফল হয়নি' },
  reasonFunds: { en: 'There was not enough money in the account.', bn: 'অ্যাকাউন্টে যথেষ্ট টাকা ছিল না।' },
  reasonLimit: {
    en: 'The amount is over the limit of the card or account.',
    bn: 'টাকার পরিমাণ কার্ড বা অ্যাকাউন্টের সীমার চেয়ে বেশি।',
  },
  reasonExpired: { en: 'The card has expired.', bn: 'কার্ডটির মেয়াদ শেষ হয়ে গেছে।' },
  reasonDetails: { en: 'Some of the details were not correct.', bn: 'কিছু তথ্য সঠিক ছিল না।' },
  reasonUnconfirmed: {
    en: 'The payment was not confirmed with the PIN or one-time code.',
    bn: 'পিন বা এককালীন কোড দিয়ে পেমেন্টটি নিশ্চিত করা হয়নি।',
  },
  reasonBarred: {
    en: 'This card or account cannot be used for this payment.',
    bn: 'এই কার্ড বা অ্যাকাউন্ট দিয়ে এই পেমেন্ট করা যাবে না।',
  },
  reasonTest: {
    en: 'Test payments of this amount are always declined.',
    bn: 'এই পরিমাণের পরীক্ষামূলক পেমেন্ট কখনো সফল হয় না।',
  },
  reasonOther: {
    en: 'Ask your bank or wallet for the reason.',
    bn: 'কারণ জানতে আপনার ব্যাংক বা ওয়ালেট প্রতিষ্ঠানের সঙ্গে যোগাযোগ করুন।',
  },
  notCharged: { en: 'You have not been charged.', bn: 'আপনার টাকা কাটা হয়নি।' },
  ifCharged: {
    en: 'If you were charged after all, the money is refunded automatically.',
    bn: 'এরপরও টাকা কাটা হয়ে থাকলে তা নিজে থেকেই ফেরত যাবে।',
  },
  mayCount: {
    en: 'If you were charged after all, either the payment is accepted, or the money is refunded automatically.',
    bn: 'এরপরও টাকা কাটা হয়ে থাকলে হয় পেমেন্টটি গৃহীত হবে, নয়তো টাকা নিজে থেকেই ফেরত যাবে।',
  },
  givesBack: {
    en: 'The money that was taken is refunded automatically.',
    bn: 'কেটে নেওয়া টাকা নিজে থেকেই ফেরত যাবে।',
  },
  givesMoreBack: {
    en: 'Money that was taken besides is refunded automatically.',
    bn: 'এর বাইরে কেটে নেওয়া টাকা নিজে থেকেই ফেরত যাবে।',
  },
  declinedAdvice: {
    en: 'Please try again, or pay another way.',
    bn: 'আবার চেষ্টা করুন, অথবা অন্য মাধ্যম বেছে নিন।',
  },
  unavailable: { en: '{method} cannot be reached', bn: '{method}-এর সঙ্গে যোগাযোগ করা যাচ্ছে না' },
  unavailableAdvice: {
    en: 'Please try again in a few minutes, or pay another way.',
    bn: 'কয়েক মিনিট পর আবার চেষ্টা করুন, অথবা অন্য মাধ্যম বেছে নিন।',
  },
  cancelled: { en: 'The payment was cancelled', bn: 'পেমেন্টটি বাতিল হয়েছে' },
  cancelledAdvice: { en: 'You can start again.', bn: 'আবার শুরু করতে পারেন।' },
  givenBack: { en: 'The payment was not accepted', bn: 'পেমেন্টটি গ্রহণ করা হয়নি' },
  givenBackAdvice: { en: 'You can pay again.', bn: 'আবার পেমেন্ট করতে পারেন।' },
  timedOut: { en: 'The payment was not completed in time', bn: 'সময়ের মধ্যে পেমেন্ট শেষ হয়নি' },
  tryAgain: { en: 'Try again', bn: 'আবার চেষ্টা করুন' },

  noMethod: { en: 'You cannot pay right now', bn: 'এখন পেমেন্ট করা যাচ্ছে না' },
  noMethodAdvice: {
    en: 'No payment method is available for this payment. Please contact {merchant}.',
    bn: 'এই পেমেন্টের জন্য কোনো মাধ্যম এখন চালু নেই। অনুগ্রহ করে {merchant}-এর সঙ্গে যোগাযোগ করুন।',
  },
  noMethodTestAdvice: {
    en: 'This is a test, so no money is due. {merchant} can enable a simulated method (sim_card, sim_wallet or sim_bank) in test mode; then this page offers it.',
    bn: 'এটি পরীক্ষা, কোনো টাকা দিতে হবে না। {merchant} পরীক্ষার জন্য কোনো মাধ্যম (sim_card, sim_wallet বা sim_bank) চালু করলে এই পাতায় তা দেখা যাবে।',
  },
  exhausted: { en: 'Too many attempts', bn: 'অনেকবার চেষ্টা করা হয়েছে' },
  /** Where money that was taken may still be accepted: a payer who gets a new link could pay twice. */
  askFirst: {
    en: 'If you were charged, ask {merchant} whether the payment was accepted before you pay again. If not, ask for a new payment link.',
    bn: 'টাকা কাটা হয়ে থাকলে আবার পেমেন্ট করার আগে {merchant}-এর কাছে জেনে নিন পেমেন্টটি গৃহীত হয়েছে কি না। টাকা কাটা না হলে নতুন পেমেন্ট লিংক চেয়ে নিন।',
  },
  newLinkAdvice: {
    en: 'Please ask {merchant} for a new payment link.',
    bn: '{merchant}-এর কাছ থেকে নতুন পেমেন্ট লিংক চেয়ে নিন।',
  },

  underWay: { en: 'A payment is in progress', bn: 'একটি পেমেন্ট চলছে' },
  underWayAdvice: {
    en: 'It was started with {method}, perhaps in another tab. Continue there, or cancel it to pay another way.',
    bn: '{method} দিয়ে এটি শুরু হয়েছে, হয়তো অন্য ট্যাবে। সেটি চালিয়ে যান, অথবা বাতিল করে অন্যভাবে পেমেন্ট করুন।',
  },
  underWayLastAdvice: {
    en: 'It was started with {method}, perhaps in another tab. Continue there. If you cancel it, you can no longer pay here.',
    bn: '{method} দিয়ে এটি শুরু হয়েছে, হয়তো অন্য ট্যাবে। সেটি চালিয়ে যান। বাতিল করলে এখানে আর পেমেন্ট করা যাবে না।',
  },
  resume: { en: 'Continue this payment', bn: 'এই পেমেন্ট চালিয়ে যান' },
  cancel: { en: 'Cancel this payment', bn: 'এই পেমেন্ট বাতিল করুন' },

  leaving: { en: 'Taking you to {method}', bn: 'আপনাকে {method}-এ নেওয়া হচ্ছে' },
  leavingAdvice: {
    en: 'If nothing happens within a few seconds, use the button.',
    bn: 'কয়েক সেকেন্ডের মধ্যে কিছু না হলে বোতামটি চাপুন।',
  },
  connecting: { en: 'One moment, please.', bn: 'একটু অপেক্ষা করুন।' },
  goOn: { en: 'Continue to {method}', bn: '{method}-এ যান' },

  waiting: { en: 'Waiting for confirmation', bn: 'পেমেন্ট নিশ্চিত হওয়ার অপেক্ষা' },
  waitingAdvice: {
    en: '{method} has not confirmed the payment yet. Please do not pay again.',
    bn: '{method} এখনো পেমেন্ট নিশ্চিত করেনি। অনুগ্রহ করে আবার পেমেন্ট করবেন না।',
  },
  usually: {
    en: 'This usually takes less than a minute.',
    bn: 'সাধারণত এক মিনিটেরও কম সময় লাগে।',
  },
  held: { en: 'The payment is being checked', bn: 'পেমেন্টটি যাচাই করা হচ্ছে' },
  heldAdvice: {
    en: 'The payment with {method} is under manual review. Please do not pay again: either the payment is accepted, or any money that was taken is refunded.',
    bn: '{method} দিয়ে করা পেমেন্টটি একজন যাচাই করছেন। অনুগ্রহ করে আবার পেমেন্ট করবেন না: হয় এটি গৃহীত হবে, নয়তো কোনো টাকা কাটা হয়ে থাকলে তা ফেরত যাবে।',
  },
  patience: {
    en: 'This may take a while. You can close this page, and open the payment link again later.',
    bn: 'এতে কিছু সময় লাগতে পারে। পাতাটি বন্ধ করে পরে পেমেন্ট লিংকটি আবার খুলতে পারেন।',
  },
  checksItself: { en: 'This page checks again automatically.', bn: 'এই পাতা নিজে থেকেই আবার যাচাই করে।' },
  checksNoMore: { en: 'Automatic checking is off.', bn: 'নিজে থেকে যাচাই এখন বন্ধ আছে।' },
  checkNow: { en: 'Check now', bn: 'এখনই যাচাই করুন' },
  stopChecking: { en: 'Stop automatic checking', bn: 'নিজে থেকে যাচাই বন্ধ করুন' },
  startChecking: { en: 'Check automatically', bn: 'নিজে থেকে যাচাই চালু করুন' },

  paid: { en: 'Payment successful', bn: 'পেমেন্ট সফল হয়েছে' },
  paidAdvice: { en: 'Thank you. You can close this page.', bn: 'ধন্যবাদ। এখন পাতাটি বন্ধ করতে পারেন।' },
  paidReturnAdvice: {
    en: 'Thank you. You are being returned to {merchant}.',
    bn: 'ধন্যবাদ। আপনাকে {merchant}-এ ফেরত নেওয়া হচ্ছে।',
  },
  alreadyPaid: { en: 'This has already been paid', bn: 'এর পেমেন্ট আগেই হয়ে গেছে' },
  alreadyPaidAdvice: { en: 'There is nothing more to pay.', bn: 'আর কিছু পেমেন্ট করতে হবে না।' },
  ...receiptTexts,

  expired: { en: 'This payment link has expired', bn: 'এই পেমেন্ট লিংকের মেয়াদ শেষ' },

  closed: { en: 'You can no longer pay here.', bn: 'এখানে আর পেমেন্ট করা যাবে না।' },

  unknown: { en: 'This payment does not exist', bn: 'এমন কোনো পেমেন্ট নেই' },
  unknownAdvice: {
    en: 'Please open the payment link again, complete and unchanged, or ask the shop for a new one.',
    bn: 'পেমেন্ট লিংকটি পুরোপুরি ও অপরিবর্তিত রেখে আবার খুলুন, অথবা দোকানের কাছে নতুন লিংক চান।',
  },
  crowded: { en: 'Too many requests', bn: 'একসঙ্গে অনেক অনুরোধ এসেছে' },
  crowdedAdvice: {
    en: 'Nothing is lost. Please wait a minute, then try again.',
    bn: 'কোনো ক্ষতি হয়নি। এক মিনিট অপেক্ষা করে আবার চেষ্টা করুন।',
  },
  broken: { en: 'Something went wrong', bn: 'কিছু একটা সমস্যা হয়েছে' },
  brokenAdvice: {
    en: 'The error is on our side. Please try again in a moment; you will not be charged twice.',
    bn: 'সমস্যাটি আমাদের দিক থেকে হয়েছে। একটু পর আবার চেষ্টা করুন; আপনার টাকা দুবার কাটা হবে না।',
  },
  /** After a form was sent: its payment may have begun. */
  brokenFormAdvice: {
    en: 'The error is on our side, and we do not know the state of your payment yet. Reload this page or open the payment link again to see it; you will not be charged twice.',
    bn: 'সমস্যাটি আমাদের দিক থেকে হয়েছে, তাই আপনার পেমেন্টের অবস্থা এখনো জানা যায়নি। জানতে পাতাটি আবার লোড করুন বা পেমেন্ট লিংকটি আবার খুলুন; আপনার টাকা দুবার কাটা হবে না।',
  },
} as const satisfies Record<string, Readonly<Record<Language, string>>>;

type TextName = keyof typeof texts;
type ValuesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | ValuesIn<Rest> : never;
type Values<Name extends TextName> = Readonly<Record<ValuesIn<(typeof texts)[Name]['en']>, string>>;

/** Speaks one language: the text of this name, with its values put in. */
export const speaker =
  (language: Language) =>
  <Name extends TextName>(
    name: Name,
    ...[values]: [ValuesIn<(typeof texts)[Name]['en']>] extends [never] ? [] : [Values<Name>]
  ): string =>
    texts[name][language].replace(/\{(\w+)\}/g, (whole, key: string) =>
      isolated(String(new Map(Object.entries(values ?? {})).get(key) ?? whole)),
    );
