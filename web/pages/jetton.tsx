import { jettonDecimals, TokenAmount } from '../actions/action-sentence.tsx';
import { get } from '../api/client.ts';
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

async function load(address: string, abort: AbortSignal): Promise<JettonMaster | null> {
  const query = { address: [address], limit: 1 };
  return (await get('/api/v3/jetton/masters', query, abort)).jetton_masters[0] ?? null;
}

/** A jetton. */
export function Page({ path, query }: PageProps) {
  return (
    <TokenPage
      kind="Jetton"
      type="jetton_masters"
      address={path.address!}
      load={load}
      notFound="The index has no jetton at this address."
    >
      {(master) => (
        <>
          <Summary master={master} />
          <Tabs
            label="Parts of the jetton"
            first={query.get('tab')}
            tabs={[
              { id: 'holders', name: 'Holders', show: () => <Holders master={master} /> },
              { id: 'transfers', name: 'Transfers', show: () => <Transfers address={master.address} /> },
            ]}
          />
        </>
      )}
    </TokenPage>
  );
}

function Summary({ master }: { readonly master: JettonMaster }) {
  const { address, total_supply: supply, mintable, admin_address: admin } = master;
  return (
    <TokenSummary
      address={address}
      type="jetton_masters"
      content={master.jetton_content}
      facts={{
        Supply: <TokenAmount amount={supply} asset={address} />,
        Decimals: jettonDecimals(address),
        Mintable: mintable ? <Badge kind="warn">more can be minted</Badge> : <Badge>supply is fixed</Badge>,
        Admin: <Address address={admin} />,
        'Code of wallets': <Hash value={master.jetton_wallet_code_hash} name="code hash of jetton wallets" />,
      }}
    />
  );
}

function Holders({ master: { address, total_supply: supply } }: { readonly master: JettonMaster }) {
  const pages = usePages('/api/v3/jetton/wallets', {
    query: { jetton_address: [address], exclude_zero_balance: true, sort: 'desc', limit: PAGE_ROWS },
    rowsOf: ({ jetton_wallets: wallets }) => wallets,
    keyOf: (wallet) => wallet.address,
  });
  const decimals = jettonDecimals(address);
  return (
    <ListTable
      title="Holders"
      pages={pages}
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
  const pages = usePages('/api/v3/jetton/transfers', {
    query: { jetton_master: address, sort: 'desc', limit: PAGE_ROWS },
    rowsOf: ({ jetton_transfers: transfers }) => transfers,
    keyOf: (transfer) => transfer.transaction_hash,
  });
  const decimals = jettonDecimals(address);
  return (
    <ListTable
      title="Transfers"
      pages={pages}
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
