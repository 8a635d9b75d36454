import { useGet } from '../api/use-call.ts';
import type { NominatorPoolInfo } from '../api/v3.d.ts';
import { Address } from '../show/address.tsx';
import { formatTon, Ton } from '../show/amount.tsx';
import { coinName } from '../show/coin.ts';
import { formatShare } from '../show/figures.ts';
import { Badge, Loaded, Panel } from '../show/panel.tsx';
import { Table } from '../show/table.tsx';

const STATES = ['idle', 'stake sent to the elector', 'stake accepted'] as const;
/** Shares are in ten thousandths. */
const WHOLE_SHARE = 10_000;

/** A nominator pool: its validator, and who put how much into it. */
export function NominatorPool({ address }: { readonly address: string }) {
  const call = useGet('/api/v3/staking/nominatorPools/pool', { pool: address });
  return (
    <Loaded call={call}>
      {(pool) => (
        <>
          <Panel title="Pool" facts={factsOf(pool)} />
          <Nominators pool={pool} />
        </>
      )}
    </Loaded>
  );
}

function factsOf(pool: NominatorPoolInfo) {
  return {
    State: <Badge kind={pool.state === 2 ? 'good' : 'plain'}>{STATES[pool.state] ?? pool.state}</Badge>,
    Validator: <Address address={pool.validator_address} canCopy />,
    'Reward of the validator': `${(pool.validator_reward_share / WHOLE_SHARE) * 100} %`,
    'Funds of the validator': <Ton nano={pool.validator_amount} />,
    Stake: <Ton nano={pool.stake_amount_sent} />,
    Nominators: `${pool.nominators_count} of at most ${pool.max_nominators_count}`,
    'Least stake of a nominator': <Ton nano={pool.min_nominator_stake} />,
  };
}

function Nominators({ pool: { active_nominators: nominators } }: { readonly pool: NominatorPoolInfo }) {
  const total = nominators.reduce((sum, { balance }) => sum + BigInt(balance), 0n).toString();
  return (
    <Panel title="Nominators" count={nominators.length}>
      <Table
        name="Table of nominators"
        rows={nominators}
        empty="This pool has no nominators."
        keyOf={({ address }) => address}
        columns={{
          Nominator: ({ address }) => <Address address={address} />,
          [`Balance, ${coinName()}`]: { kind: 'number', show: ({ balance }) => formatTon(balance) },
          Share: { kind: 'number', show: ({ balance }) => formatShare(balance, total) },
          [`Pending, ${coinName()}`]: {
            kind: 'number',
            show: ({ pending_balance: pending }) => formatTon(pending),
          },
        }}
      />
    </Panel>
  );
}
