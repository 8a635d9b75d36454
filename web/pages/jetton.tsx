import { jettonDecimals, TokenAmount } from '../actions/action-sentence.tsx';
import { getFirst } from '../api/client.ts';
import { usePages } from '../api/use-pages.ts';
import type { JettonMaster } from '../api/v3.d.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { formatUnits } from '../show/amount.tsx';
import { formatShare } from '../show/figures.ts';
import { Hash } from '../show/hash.tsx';
import { ListTable } from '../show/list-panel.tsx';
import { Badge } from '../show/panel.tsx';
import { Tabs } from '../show/tabs.tsx';
import { Ago } from '../show/time.tsx';
import { TokenPage, TokenSummary } from '../show/token-page.tsx';
import { tracePage } from '../show/transaction-rows.tsx';

const PAGE_ROWS = 50;

const load = (address: string, abort: AbortSignal) =>
  getFirst('/api/v3/jetton/masters', 'jetton_masters', { address: [address] }, abort);

export function Page({ path, query }: PageProps) {
  return (
    <TokenPage kind="Jetton" type="jetton_masters" address={path.address!} load={load}>
      {(master) => (
        <>
          <TokenSummary
            address={master.address}
            type="jetton_masters"
            content={master.jetton_content}
            facts={factsOf(master)}
          />
          <Tabs
            label="Parts of the jetton"
            first={query.get('tab')}
            tabs={{
              holders: ['Holders', () => <Holders master={master} />],
              transfers: ['Transfers', () => <Transfers address={master.address} />],
            }}
          />
        </>
      )}
    </TokenPage>
  );
}

function factsOf({ address, total_supply: supply, mintable, ...master }: JettonMaster) {
  return {
    Supply: <TokenAmount amount={supply} asset={address} />,
    Decimals: jettonDecimals(address),
    Mintable: mintable ? <Badge kind="warn">more can be minted</Badge> : <Badge>supply is fixed</Badge>,
    Admin: <Address address={master.admin_address} />,
    'Code of wallets': <Hash value={master.jetton_wallet_code_hash} name="code hash of jetton wallets" />,
  };
}

function Holders({ master: { address, total_supply: supply } }: { readonly master: JettonMaster }) {
  const query = {
    jetton_address: [address],
    exclude_zero_balance: true,
    sort: 'desc' as const,
    limit: PAGE_ROWS,
  };
  const decimals = jettonDecimals(address);
  return (
    <ListTable
      title="Holders"
      pages={usePages('/api/v3/jetton/wallets', query, ['jetton_wallets', 'address'])}
      empty="Nobody holds this jetton."
      columns={{
        Rank: { kind: 'number rank', show: (_, index) => index + 1 },
        Owner: ({ owner }) => <Address address={owner} />,
        Balance: { kind: 'number', show: ({ balance }) => formatUnits(balance, decimals) },
        Share: { kind: 'number', show: ({ balance }) => formatShare(balance, supply) },
        'Jetton wallet': ({ address: wallet }) => <Address address={wallet} />,
      }}
    />
  );
}

function Transfers({ address }: { readonly address: string }) {
  const query = { jetton_master: address, sort: 'desc', limit: PAGE_ROWS } as const;
  const decimals = jettonDecimals(address);
  return (
    <ListTable
      title="Transfers"
      pages={usePages('/api/v3/jetton/transfers', query, ['jetton_transfers', 'transaction_hash'])}
      empty="The index has no transfer of this jetton."
      columns={{
        From: ({ source }) => <Address address={source} />,
        To: ({ destination }) => <Address address={destination} />,
        Amount: { kind: 'number', show: ({ amount }) => formatUnits(amount, decimals) },
        '': ({ transaction_aborted: isFailed }) => isFailed && <Badge kind="bad">failed</Badge>,
        Time: {
          kind: 'number',
          show: ({ trace_id: trace, transaction_now: at }) => (
            <a href={hrefOf(tracePage(trace))} title={trace}>
              <Ago at={at} />
            </a>
          ),
        },
      }}
    />
  );
}
