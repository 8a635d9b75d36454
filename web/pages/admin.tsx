import { AdminKeyBox, isRefusal, LockButton } from '../admin/admin-key.tsx';
import { Keys, Owners } from '../admin/keys.tsx';
import { Usage } from '../admin/usage.tsx';
import { Webhooks } from '../admin/webhooks.tsx';
import { adminGet } from '../api/admin-client.ts';
import { useCall } from '../api/use-call.ts';
import { Loaded } from '../show/panel.tsx';
import '../admin/admin.css';

async function load(abort: AbortSignal) {
  // The first alone: a wrong key is one wrong key.
  const { plans } = await adminGet('/api/admin/plans', {}, abort);
  const [{ owners }, { keys }, { webhooks }] = await Promise.all([
    adminGet('/api/admin/owners', {}, abort),
    adminGet('/api/admin/keys', {}, abort),
    adminGet('/api/admin/webhooks', {}, abort),
  ]);
  return { plans, owners, keys, webhooks };
}

/** Owners, keys, usage and webhooks, for the operator. */
export function Page() {
  const call = useCall(load, 'admin');
  const { reload } = call;
  return (
    <>
      <div class="title-row">
        <h1 tabIndex={-1}>Administration</h1>
        {call.data !== undefined && <LockButton onChange={reload} />}
      </div>
      {isRefusal(call.error) ? (
        <AdminKeyBox error={call.error} onChange={reload} />
      ) : (
        <Loaded call={call}>
          {({ plans, owners, keys, webhooks }) => (
            <>
              <Usage />
              <Keys keys={keys} owners={owners} plans={plans} reload={reload} />
              <Owners owners={owners} plans={plans} reload={reload} />
              <Webhooks webhooks={webhooks} reload={reload} />
            </>
          )}
        </Loaded>
      )}
    </>
  );
}
