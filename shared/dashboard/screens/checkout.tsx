import type { CheckoutPayment, CheckoutSession, Refund } from '../../client/checkout.ts';
import { checkoutApi } from '../apis.ts';
import { money } from '../parts/amount.ts';
import { Chart } from '../parts/chart.tsx';
import { useLoad } from '../parts/load.ts';
import { ModeSwitch, useMode } from '../parts/mode.tsx';
import { lastDays } from '../parts/period.ts';
import { Screen } from '../parts/screen.tsx';
import { Loading, Trouble } from '../parts/trouble.tsx';
import { grouped, percent } from '../parts/words.tsx';
import { useAccount } from '../session.ts';
import { keptOf } from './payment-money.ts';

const daysShown = 14;
/** A longer value would be broken in the middle of its number. */
const mostInTile = 9;
const mostRead = 2_000;

type Day = ReturnType<typeof lastDays>[number];
interface Read {
  readonly days: readonly Day[];
  readonly sessions: readonly CheckoutSession[];
  readonly payments: readonly CheckoutPayment[];
  /** Read only where some money was surplus. */
  readonly failedRefunds: readonly Refund[];
  /** Older rows of the range are left out. */
  readonly isCut: boolean;
}

const firstOf = async <Row,>(rows: AsyncIterable<Row>): Promise<Row[]> => {
  const found: Row[] = [];
  for await (const row of rows) {
    found.push(row);
    if (found.length === mostRead) break;
  }
  return found;
};

const readDays = async (account: string, isLive: boolean): Promise<Read> => {
  const api = checkoutApi(account, isLive);
  const days = lastDays(daysShown);
  const query = { from: new Date(days[0]?.fromMs ?? 0).toISOString(), limit: 100 };
  const [sessions, payments] = await Promise.all([
    firstOf(api.all('GET /checkout-sessions', { query })),
    firstOf(api.all('GET /payments', { query: { ...query, status: 'SUCCEEDED' } })),
  ]);
  const hasSurplus = payments.some(({ failureCode }) => failureCode === 'surplus');
  const failedRefunds = hasSurplus
    ? await firstOf(api.all('GET /refunds', { query: { ...query, status: 'FAILED' } }))
    : [];
  return {
    days,
    sessions,
    payments,
    failedRefunds,
    isCut: [sessions, payments, failedRefunds].some(({ length }) => length === mostRead),
  };
};

const on =
  ({ fromMs, untilMs }: Day) =>
  ({ createdAt }: { readonly createdAt: string }): boolean =>
    Date.parse(createdAt) >= fromMs && Date.parse(createdAt) < untilMs;

const paidOf = (sessions: readonly CheckoutSession[]): number =>
  sessions.filter(({ status }) => status === 'COMPLETED').length;
const paidShare = 'Paid, of sessions that ended';
/** Sessions that can still be paid have not been lost. */
const endedOf = (sessions: readonly CheckoutSession[]): number =>
  sessions.filter(({ status }) => status !== 'OPEN').length;
const shareOf = (sessions: readonly CheckoutSession[]): number | undefined =>
  endedOf(sessions) === 0 ? undefined : (100 * paidOf(sessions)) / endedOf(sessions);
const sumOf = (payments: readonly CheckoutPayment[], of: (payment: CheckoutPayment) => number): number =>
  payments.reduce((sum, payment) => sum + of(payment), 0);

/** How the checkout does: what was paid, and how many customers paid who were asked to. */
export const CheckoutOverview = () => {
  const { id } = useAccount();
  const mode = useMode();
  const read = useLoad(() => readDays(id, mode === 'live'), [id, mode]);
  return (
    <Screen
      title="Checkout"
      intro={`The last ${daysShown} days${read.value?.isCut ? `, the latest ${grouped(mostRead)} sessions, payments and failed refunds of them` : ''}.`}
      actions={<ModeSwitch />}
    >
      {read.problem ? <Trouble problem={read.problem} retry={read.reload} /> : null}
      {!read.value && read.isLoading ? <Loading lines={6} /> : null}
      {read.value ? <Figures {...read.value} /> : null}
    </Screen>
  );
};

const Figures = ({ days, sessions, payments, failedRefunds }: Read) => {
  const currencies = [...new Set(payments.map(({ currency }) => currency))].sort();
  const labels = days.map(({ label }) => label);
  const tiles: readonly (readonly [string, string])[] = [
    ['Sessions', grouped(sessions.length)],
    ['Paid', grouped(paidOf(sessions))],
    [paidShare, percent(shareOf(sessions))],
    ...currencies.map((currency): readonly [string, string] => [
      `Received, ${currency}`,
      money(
        sumOf(payments, (payment) => (payment.currency === currency ? keptOf(payment, failedRefunds) : 0)),
        currency,
      ),
    ]),
  ];
  return (
    <>
      <section class="tiles" aria-label="In short">
        {tiles.map(([label, value]) => (
          <div key={label} class={value.length > mostInTile ? 'card tile wide' : 'card tile'}>
            <p class="quiet">{label}</p>
            <p class="value">{value}</p>
          </div>
        ))}
      </section>
      <div class="halves">
        <section class="card">
          <Chart
            title="Conversion by day"
            labels={labels}
            kind="lines"
            format={percent}
            series={[{ name: paidShare, values: days.map((day) => shareOf(sessions.filter(on(day)))) }]}
          />
        </section>
        {(currencies.length > 0 ? currencies : ['BDT']).map((currency) => (
          <section key={currency} class="card">
            <MoneyChart
              currency={currency}
              days={days}
              payments={payments.filter((each) => each.currency === currency)}
              failedRefunds={failedRefunds}
            />
          </section>
        ))}
      </div>
    </>
  );
};

interface MoneyProps extends Pick<Read, 'days' | 'payments' | 'failedRefunds'> {
  readonly currency: string;
}

const MoneyChart = ({ currency, days, payments, failedRefunds }: MoneyProps) => {
  const byDay = (of: (payment: CheckoutPayment) => number) => days.map((day) => sumOf(payments.filter(on(day)), of));
  return (
    <Chart
      title={`Money by day, ${currency}`}
      labels={days.map(({ label }) => label)}
      kind="bars"
      format={(minor) => money(minor, currency).replace(/\.00$/, '')}
      series={[
        { name: 'Received', values: byDay((payment) => keptOf(payment, failedRefunds)) },
        { name: 'Refunded', values: byDay(({ refundedMinor }) => refundedMinor), isBad: true },
      ]}
    />
  );
};
