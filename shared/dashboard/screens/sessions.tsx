import { useState } from 'preact/hooks';
import type { Operations } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { Confirm } from '../parts/dialog.tsx';
import { type Column, List } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { Time } from '../parts/words.tsx';

type Session = Operations['GET /sessions']['reply']['data'][number];

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** `Firefox on Linux`; what is not known is shown as it was sent. */
const deviceOf = (userAgent: string): string => {
  const [browser, system] = [browsers, systems].map((known) => known.find(([sign]) => sign.test(userAgent))?.[1]);
  return browser ? `${browser}${system ? ` on ${system}` : ''}` : userAgent || 'Unknown';
};

/** Where the person is signed in. */
export const Sessions = () => {
  const [ending, setEnding] = useState<Session>();
  const [version, setVersion] = useState(0);
  const columns: readonly Column<Session>[] = [
    {
      label: 'Device',
      cell: ({ userAgent, isCurrent }) => (
        <>
          <strong title={userAgent}>{deviceOf(userAgent)}</strong>{' '}
          {isCurrent ? <span class="tag">This one</span> : null}
        </>
      ),
    },
    { label: 'Address', cell: ({ address }) => address },
    { label: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: (session) =>
        session.isCurrent ? null : (
          <button type="button" onClick={() => setEnding(session)}>
            Revoke<span class="hidden"> {deviceOf(session.userAgent)}</span>
          </button>
        ),
    },
  ];
  return (
    <Screen title="Your sessions" intro="Where you are signed in. Revoke any session that you do not recognize.">
      <List
        caption="Sessions"
        read={async () => ({ rows: (await adminApi.call('GET /sessions')).data, next: undefined })}
        columns={columns}
        keyOf={({ id }) => id}
        version={version}
        empty={<Empty title="No sessions">A token has no sessions.</Empty>}
      />
      {ending ? (
        <Confirm
          title="Revoke this session?"
          action="Revoke session"
          onClose={() => setEnding(undefined)}
          onConfirm={async () => {
            await adminApi.call('DELETE /sessions/{sessionId}', { path: { sessionId: ending.id } });
            toast('The session was revoked');
            setVersion((before) => before + 1);
          }}
        >
          <p>
            {deviceOf(ending.userAgent)} at {ending.address} is signed out at once.
          </p>
        </Confirm>
      ) : null}
    </Screen>
  );
};
