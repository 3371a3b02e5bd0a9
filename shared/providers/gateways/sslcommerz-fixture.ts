import { type GatewayWorld, hashOf, realWorld, startGatewayServer } from './gateway-server-fixture.ts';

type Fields = Record<string, string>;

/** What the gateway will not begin a session without, with the most characters that it takes. */
const required: Readonly<Record<string, number>> = {
  store_id: 30,
  store_passwd: 30,
  total_amount: 13,
  currency: 3,
  tran_id: 30,
  success_url: 255,
  fail_url: 255,
  cancel_url: 255,
  product_name: 255,
  product_category: 50,
  product_profile: 50,
  num_of_item: 5,
  shipping_method: 20,
  cus_name: 50,
  cus_email: 50,
  cus_add1: 50,
  cus_city: 50,
  cus_postcode: 30,
  cus_country: 50,
  cus_phone: 20,
};

const signedNames =
  'amount,bank_tran_id,base_fair,card_brand,card_issuer,card_issuer_country,card_issuer_country_code,card_no,card_sub_brand,card_type,currency,currency_amount,currency_rate,currency_type,error,risk_level,risk_title,status,store_amount,store_id,tran_date,tran_id,val_id,value_a,value_b,value_c,value_d';

/** Written from the gateway's own sample, apart from what is tested: in the order of names, a name that was not sent empty. */
const signed = (fields: Fields, storePassword: string): Fields => {
  const names = signedNames.split(',');
  const signOf = (algorithm: 'md5' | 'sha256') => {
    const values: Fields = { store_passwd: hashOf(algorithm, storePassword) };
    for (const name of names) values[name] = fields[name] ?? '';
    const text = Object.keys(values)
      .sort()
      .map((name) => `${name}=${values[name]}`)
      .join('&');
    return hashOf(algorithm, text);
  };
  return { ...fields, verify_key: signedNames, verify_sign: signOf('md5'), verify_sign_sha2: signOf('sha256') };
};

const dateOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');

interface Store {
  readonly storeId: string;
  readonly storePassword: string;
}

interface Call {
  readonly url?: string | undefined;
  readonly body: string;
}

/** SSLCommerz, version 4, with one store: sessions, payers who pay or do not, validations, queries and refunds. */
export const sslcommerzGateway = (store: Store, { url: ownUrl, nowMs, idOf }: GatewayWorld) => {
  const sessions = new Map<string, Fields>();
  const tries: Fields[] = [];
  const refunds = new Map<string, Fields>();
  const validated = new Set<string>();

  const isOurs = (fields: Fields) =>
    fields['store_id'] === store.storeId && fields['store_passwd'] === store.storePassword;

  /** What a form is refused for. */
  const faultIn = (form: Fields): string | undefined => {
    const wrong = Object.entries(required).find(
      ([name, most]) => (form[name] ?? '').trim() === '' || (form[name] ?? '').length > most,
    );
    if (!isOurs(form)) return 'Store Credential Error Or Store is De-active';
    if (wrong) return `Invalid Information! '${wrong[0]}'`;
    if (!/^\d{2,8}\.\d{2}$/.test(form['total_amount'] ?? '')) return "Invalid Information! 'total_amount'";
    return sessions.has(form['tran_id'] ?? '') ? "Duplicate 'tran_id'" : undefined;
  };

  const open = (form: Fields) => {
    const failedreason = faultIn(form);
    if (failedreason) return { status: 'FAILED', failedreason };
    sessions.set(form['tran_id'] ?? '', form);
    // 40 characters, as the gateway’s are.
    const sessionkey = idOf('').repeat(4).slice(0, 40);
    const GatewayPageURL = `${ownUrl()}/EasyCheckOut/${sessionkey}`;
    return { status: 'SUCCESS', failedreason: '', sessionkey, gw: { visa: 'city_visa' }, GatewayPageURL, desc: [] };
  };

  const validate = (valId: string) => {
    const found = tries.find((each) => valId !== '' && each['val_id'] === valId);
    if (!found) return { status: 'INVALID_TRANSACTION', APIConnect: 'DONE', validated_on: dateOf(nowMs()) };
    const status = found['status'] === 'VALID' && validated.has(valId) ? 'VALIDATED' : found['status'];
    validated.add(valId);
    return { ...found, status, APIConnect: 'DONE', validated_on: dateOf(nowMs()), gw_version: '' };
  };

  const refund = (asked: Fields) => {
    const found = tries.find((each) => each['bank_tran_id'] === asked['bank_tran_id']);
    const fail = (errorReason: string) => ({ APIConnect: 'DONE', status: 'failed', errorReason });
    const number = asked['refund_trans_id'] ?? '';
    if (!found) return fail('Invalid bank transaction id');
    if (number === '' || number.length > 30 || !asked['refund_remarks']) return fail('Mandatory field missing');
    if (Number(asked['refund_amount']) > Number(found['amount'])) return fail('Refund amount exceeds the transaction');
    const refundRefId = idOf('refund');
    refunds.set(refundRefId, { ...asked, status: 'processing' });
    const { bank_tran_id, tran_id } = found;
    return {
      APIConnect: 'DONE',
      bank_tran_id,
      trans_id: tran_id,
      refund_ref_id: refundRefId,
      status: 'success',
      errorReason: '',
    };
  };

  const answer = ({ url = '', body }: Call, path: string): { json: unknown } => {
    if (path === '/gwprocess/v4/api.php') return { json: open(Object.fromEntries(new URLSearchParams(body))) };
    const asked: Fields = Object.fromEntries(new URL(url, ownUrl()).searchParams);
    if (!isOurs(asked)) return { json: { APIConnect: 'INVALID_REQUEST' } };
    if (path === '/validator/api/validationserverAPI.php') return { json: validate(asked['val_id'] ?? '') };
    if (asked['bank_tran_id']) return { json: refund(asked) };
    if (asked['refund_ref_id']) {
      const { status, bank_tran_id } = refunds.get(asked['refund_ref_id']) ?? {};
      return { json: { APIConnect: 'DONE', refund_ref_id: asked['refund_ref_id'], bank_tran_id, status } };
    }
    const element = tries.filter((each) => each['tran_id'] === asked['tran_id']);
    return { json: { APIConnect: 'DONE', no_of_trans_found: element.length, element } };
  };

  /** A payer's try to pay a session; gives the form that goes to the notification address and, by the browser, to the return address. */
  const attempt = (tranId: string, status: string, wishes: Fields = {}): string => {
    const { total_amount = '', currency = '' } = sessions.get(tranId) ?? {};
    const fields: Fields = {
      status,
      tran_date: dateOf(nowMs()),
      tran_id: tranId,
      val_id: status === 'VALID' ? idOf(`${nowMs()}`) : '',
      amount: total_amount,
      store_amount: '0.00',
      currency,
      currency_type: currency,
      currency_amount: total_amount,
      bank_tran_id: idOf(`${nowMs()}`),
      card_type: 'VISA-Dutch Bangla',
      card_issuer: 'Standard Chartered Bank & Co.',
      store_id: store.storeId,
      risk_level: '0',
      risk_title: 'Safe',
      error: status === 'FAILED' ? 'Transaction declined by bank' : '',
      ...wishes,
    };
    tries.push(fields);
    return new URLSearchParams(signed(fields, store.storePassword)).toString();
  };

  return {
    /** Its answer to a request of this path. */
    answer,
    /** What the gateway was asked to collect for, by `tran_id`. */
    sessions,
    attempt,
    /** What was tried under this `tran_id`. */
    triesOf: (tranId: string): readonly Fields[] => tries.filter((each) => each['tran_id'] === tranId),
    /** The refunds of what was paid under this `tran_id`. */
    refundsOf: (tranId: string): readonly Fields[] => {
      const banked = tries.filter((each) => each['tran_id'] === tranId).map((each) => each['bank_tran_id']);
      return [...refunds.values()].filter((each) => banked.includes(each['bank_tran_id']));
    },
    /** The bank has carried out all refunds, or none; or those of this status. */
    endRefunds: (status: 'refunded' | 'cancelled', before?: 'processing'): void => {
      for (const each of refunds.values())
        if (before === undefined || each['status'] === before) each['status'] = status;
    },
  };
};

/** A server that answers as SSLCommerz does. */
export const startSslcommerz = async (store: Store) => {
  const gateway = sslcommerzGateway(
    store,
    realWorld(() => server.url),
  );
  const server = await startGatewayServer(gateway.answer);
  return { ...gateway, ...server };
};
