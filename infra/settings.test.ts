import { describe, expect, it } from 'vitest';
import { mistakesIn, settingNames, settingOf } from './settings.ts';

const deployment = { stage: 'prod', PLATFORM_EMAIL: 'no-reply@example.com' };

describe('the context of a deployment', () => {
  it('is right with nothing but a stage, in prod with the sender of mails', () => {
    expect(mistakesIn({})).toEqual([]);
    expect(mistakesIn({ stage: 'dev' })).toEqual([]);
    expect(mistakesIn(deployment)).toEqual([]);
  });

  it.each([
    ['WEBHOOK_RETRY_DELAYS', '5,60,300,1800'],
    ['WEBHOOK_TARGETS', 'public'],
    ['CHECKOUT_SESSION_TTL', '86400'],
    ['SIM_TIMEOUT_SECONDS', '60'],
  ] as const)('without %s has what the contract promises: %s', (name, value) => {
    expect(settingOf({ tryGetContext: () => undefined }, name)).toBe(value);
  });

  it('may have what CDK itself puts there', () => {
    const own = {
      '@aws-cdk/core:x': true,
      'aws:cdk:bundling-stacks': ['**'],
      'cli-telemetry': false,
      'acknowledged-issue-numbers': [1],
    };
    expect(mistakesIn({ ...deployment, ...own })).toEqual([]);
  });

  it.each(['production', 'Prod', '', 'prod ', 1])('names a stage other than dev and prod: %j', (stage) => {
    expect(mistakesIn({ stage })).toEqual(['stage: must be one of dev, prod']);
  });

  it('names PLATFORM_EMAIL where prod lacks it', () => {
    expect(mistakesIn({ stage: 'prod' })).toEqual([
      'PLATFORM_EMAIL: is required in prod; set it to an address that SES has verified',
    ]);
  });

  it.each([
    ['ALARM_MAIL', 'ALARM_EMAIL'],
    ['alarm_email', 'ALARM_EMAIL'],
    ['WEBHOOK_RETRY_DELAY', 'WEBHOOK_RETRY_DELAYS'],
    ['stagee', 'stage'],
    ['PUBLIC_URL', 'PUBLIC_BASE_URL'],
    ['ALARM-EMAIL', 'ALARM_EMAIL'],
    ['edge-only', 'EDGE_ONLY'],
    ['RESTORED_TABLE ', 'RESTORED_TABLE'],
  ])('suggests a setting for the unknown name %s: %s', (name, nearest) => {
    expect(mistakesIn({ [name]: 'x' })).toEqual([`${name}: no setting has this name; did you mean ${nearest}?`]);
  });

  it('suggests nothing for a name that is like none', () => {
    expect(mistakesIn({ COLOUR: 'x' })).toEqual(['COLOUR: no setting has this name']);
  });

  it.each([
    { LOG_LEVEL: 'verbose' },
    { PLATFORM_EMAIL: 'us' },
    { PEOPLE_EMAIL: 'us' },
    { ALARM_EMAIL: 'a@example.com,b@example.com' },
    { CHECKOUT_SESSION_TTL: 'a day' },
    { SIM_TIMEOUT_SECONDS: '901' },
    { RESERVED_CONCURRENCY: '1.5' },
    { WARM_THROUGHPUT: '12000' },
    { WARM_THROUGHPUT: '8000,24000' },
    { WARM_THROUGHPUT: '12000,3999' },
    { WARM_THROUGHPUT: '0,0' },
    { WEBHOOK_RETRY_DELAYS: '5;60' },
    { WEBHOOK_RETRY_DELAYS: '5,604801' },
    { WEBHOOK_TARGETS: 'private' },
    { PUBLIC_BASE_URL: 'https://api.example.com/' },
    { BKASH_URL: 'bkash' },
    { DOMAIN_NAME: 'https://api.example.com' },
    { MAIL_DOMAIN: 'Example.com' },
    { DASHBOARD: 'yes' },
    { METRICS: 'no' },
    { TRACES: 'yes' },
  ])('names a setting with a value that is not allowed, as synthesis refuses it: %j', (setting) => {
    const [[name = '', value] = []] = Object.entries(setting);
    expect(mistakesIn(setting)).toEqual([expect.stringMatching(new RegExp(`^${name}: must be `))]);
    const known = settingNames.find((each) => each === name) ?? 'LOG_LEVEL';
    expect(() => settingOf({ tryGetContext: () => value }, known)).toThrow(`${name}: `);
  });

  it('names another synthesizer than those that there are', () => {
    expect(mistakesIn({ synthesizer: 'cli-credentials' })).toEqual([]);
    expect(mistakesIn({ synthesizer: 'mine' })).toEqual(['synthesizer: must be one of bootstrap, cli-credentials']);
  });

  it('names a zone without a domain', () => {
    expect(mistakesIn({ HOSTED_ZONE_ID: 'Z1' })).toEqual(['HOSTED_ZONE_ID: is of no use without DOMAIN_NAME']);
    expect(mistakesIn({ HOSTED_ZONE_ID: 'Z1', DOMAIN_NAME: 'api.example.com' })).toEqual([]);
  });

  it.each([
    { SEND_GIVE_UP_SECONDS: '29' },
    { TEXT_GIVE_UP_SECONDS: '0' },
    { CHECKOUT_SESSION_TTL: '299' },
    { WEBHOOK_RETRY_DELAYS: '1,2' },
    { LOG_LEVEL: 'off' },
    { SMS_PROVIDER: 'simulator' },
    { WHATSAPP_PROVIDER: 'simulator' },
  ])('names what only the local stack may have: %j', (setting) => {
    const [name = ''] = Object.keys(setting);
    for (const stage of ['dev', 'prod'])
      expect(mistakesIn({ ...deployment, stage, ...setting })).toEqual([expect.stringMatching(`^${name}: `)]);
    expect(mistakesIn({ stage: 'local', ...setting }, { isLocal: true })).toEqual([]);
    expect(mistakesIn({ SEND_GIVE_UP_SECONDS: '30', SMS_PROVIDER: 'none', WHATSAPP_PROVIDER: 'none' })).toEqual([]);
  });

  it('names the stage of the local stack, which has simulators in place of providers, in a deployment', () => {
    expect(mistakesIn({ stage: 'local' })).toEqual(['stage: must be one of dev, prod']);
  });

  it('names every mistake at once', () => {
    expect(mistakesIn({ stage: 'production', LOG_LEVEL: 'x', WHAT: 1 })).toHaveLength(3);
  });

  it('takes numbers of a configuration file like texts', () => {
    expect(mistakesIn({ CHECKOUT_SESSION_TTL: 3_600 })).toEqual([]);
    expect(settingOf({ tryGetContext: () => 3_600 }, 'CHECKOUT_SESSION_TTL')).toBe('3600');
  });
});
