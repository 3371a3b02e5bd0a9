import type { Message, MessageAnalytics } from '../../client/messaging.ts';
import { adminApi, messagingApi } from '../apis.ts';
import { Chart } from '../parts/chart.tsx';
import { useLoad } from '../parts/load.ts';
import { lastDays, wholeHoursOf } from '../parts/period.ts';
import { Screen, useHref } from '../parts/screen.tsx';
import { Empty, Loading, Trouble } from '../parts/trouble.tsx';
import { grouped, notStored, percent, Status, sentence, Time } from '../parts/words.tsx';
import { serverNow } from '../server-time.ts';
import { mayBuild, useAccount } from '../session.ts';

type Counts = MessageAnalytics['channels']['email'];
const channels = ['email', 'sms', 'whatsapp'] as const;
type Channel = (typeof channels)[number];

interface Day {
  readonly label: string;
  readonly channels: MessageAnalytics['channels'];
}

const daysShown = 14;

const readDays = (account: string): Promise<Day[]> =>
  Promise.all(
    lastDays(daysShown).map(async (day) => {
      const query = wholeHoursOf(day, serverNow().getTime());
      const { data } = await messagingApi(account).call('GET /analytics/messages', { query });
      return { label: day.label, channels: data.channels };
    }),
  );

type Of = (counts: Counts) => number;
const totalOf: Of = ({ total }) => total;
const deliveredOf: Of = ({ delivered, opened, clicked }) => delivered + opened + clicked;
const failedOf: Of = ({ bounced, failed }) => bounced + failed;
/** The others wait, or have a status that has no bucket. */
const inBuckets: Of = (counts) => counts.sent + deliveredOf(counts) + failedOf(counts);

const sumOf = (days: readonly Day[], count: Of, of: readonly Channel[] = channels): number =>
  days.reduce((sum, day) => sum + of.reduce((all, channel) => all + count(day.channels[channel]), 0), 0);
const shareOf = (part: number, all: number): number | undefined => (all === 0 ? undefined : (100 * part) / all);

/** Most messages of whatsapp end as read, which has no bucket: they would count as not delivered. */
const withoutReads = ['email', 'sms'] as const;
const delivered = 'Delivered (email, sms)';
const deliveredShare = (days: readonly Day[]): number | undefined =>
  shareOf(sumOf(days, deliveredOf, withoutReads), sumOf(days, inBuckets, withoutReads));
const failedShare = (days: readonly Day[]): number | undefined => shareOf(sumOf(days, failedOf), sumOf(days, totalOf));

/** How the account does: its messages of two weeks, its credits and what has failed. */
export const Home = () => {
  const { id, name } = useAccount();
  const days = useLoad(() => readDays(id), [id]);
  return (
    <Screen title={name} intro={`The last ${daysShown} days.`}>
      {days.problem ? <Trouble problem={days.problem} retry={days.reload} /> : null}
      <Tiles days={days.value} />
      {days.value ? <Sent days={days.value} /> : days.problem ? null : <Loading lines={6} />}
      <Failures />
    </Screen>
  );
};

const Tiles = ({ days }: { readonly days: readonly Day[] | undefined }) => {
  const { id } = useAccount();
  const credits = useLoad(
    () => adminApi.call('GET /accounts/{id}/credits', { path: { id } }).then(({ data }) => data),
    [id],
  );
  const tiles = [
    ['Messages', days && grouped(sumOf(days, totalOf))],
    [delivered, days && percent(deliveredShare(days))],
    ['Bounced or failed', days && percent(failedShare(days))],
    ['Email credits', credits.value && grouped(credits.value.email)],
    ['Masked sms credits', credits.value && grouped(credits.value.smsMasked)],
    ['Other sms credits', credits.value && grouped(credits.value.smsNonMasked)],
  ] as const;
  return (
    <section class="tiles" aria-label="In short">
      {tiles.map(([label, value]) => (
        <div key={label} class="card tile">
          <p class="quiet">{label}</p>
          <p class="value">{value ?? (credits.problem && label.includes('credits') ? '?' : '–')}</p>
        </div>
      ))}
    </section>
  );
};

/** Charts of what was sent; before there is anything, how to begin. */
const Sent = ({ days }: { readonly days: readonly Day[] }) => {
  const account = useAccount();
  const href = useHref();
  if (sumOf(days, totalOf) > 0) return <Charts days={days} />;
  return (
    <Empty title="No messages in these days">
      {mayBuild(account) ? (
        <p>
          <a href={href('/api-keys')}>Create an API key</a>, or <a href={href('/messages')}>send a message</a> here.
          Each uses <a href={href('/credits')}>credits</a>.
        </p>
      ) : null}
    </Empty>
  );
};

const Charts = ({ days }: { readonly days: readonly Day[] }) => {
  const labels = days.map(({ label }) => label);
  return (
    <div class="halves">
      <section class="card">
        <Chart
          title="Messages by day"
          labels={labels}
          kind="bars"
          series={channels.map((channel) => ({
            name: sentence(channel),
            values: days.map((day) => day.channels[channel].total),
          }))}
        />
      </section>
      <section class="card">
        <Chart
          title="Delivery and bounce rate"
          labels={labels}
          kind="lines"
          format={percent}
          series={[
            { name: delivered, values: days.map((day) => deliveredShare([day])) },
            { name: 'Bounced or failed', values: days.map((day) => failedShare([day])), isBad: true },
          ]}
        />
      </section>
    </div>
  );
};

/** The latest failures, the newest first. There is no filter for rejected messages: those are found among the latest messages of all. */
const readFailures = async (account: string): Promise<Message[]> => {
  const read = async (query: { readonly status?: 'failed' | 'bounced'; readonly limit: number }) =>
    (await messagingApi(account).call('GET /messages', { query })).data;
  const [failed, bounced, latest] = await Promise.all([
    read({ status: 'failed', limit: 5 }),
    read({ status: 'bounced', limit: 5 }),
    read({ limit: 100 }),
  ]);
  return [...failed, ...bounced, ...latest.filter(({ status }) => status === 'rejected')]
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt))
    .slice(0, 5);
};

const Failures = () => {
  const { id } = useAccount();
  const href = useHref();
  const { value, problem, reload } = useLoad(() => readFailures(id), [id]);
  return (
    <section class="card">
      <h2>Recent failures</h2>
      {problem ? <Trouble problem={problem} retry={reload} /> : null}
      {!value && !problem ? <Loading lines={3} /> : null}
      {value?.length === 0 ? <Empty title="No message has failed" /> : null}
      <ul class="lines">
        {(value ?? []).map((message) => (
          <li key={message.id}>
            <Status of={message.status} />
            <a href={href(`/messages/${message.id}`)}>{message.to ?? notStored}</a>
            <span class="quiet grow">{message.failureReason ?? sentence(message.channel)}</span>
            <Time at={message.createdAt} />
          </li>
        ))}
      </ul>
    </section>
  );
};
