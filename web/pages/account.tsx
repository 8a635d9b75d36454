import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CodeAndData } from '../account/code-and-data.tsx';
import { GetMethods } from '../account/get-methods.tsx';
import { History, Jettons, Nfts, Transactions } from '../account/lists.tsx';
import { hasMethod } from '../account/method-names.ts';
import { NominatorPool } from '../account/pool.tsx';
import { type AccountView, useAccount, usePending } from '../account/use-account.ts';
import { TokenAmount } from '../actions/action-sentence.tsx';
import { addressNames } from '../api/address-names.ts';
import { useGet } from '../api/use-call.ts';
import { usePages } from '../api/use-pages.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { Address } from '../show/address.tsx';
import { type AccountAddress, friendlyForm, parseAddress, rawForm } from '../show/address-forms.ts';
import { formatUnits, Ton } from '../show/amount.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { Hash } from '../show/hash.tsx';
import { Badge, type FactRecord, Loaded, NotFound, PageTitle, Panel, type Tone } from '../show/panel.tsx';
import { Tabs } from '../show/tabs.tsx';
import { DomainLink, tokenPage } from '../show/token.tsx';
import { transactionPage } from '../show/transaction-rows.tsx';

const PAGE_ACTIONS = 20;

export function Page({ path, query }: PageProps) {
  const address = parseAddress(path.address!);
  if (address === null)
    return (
      <>
        <PageTitle kind="Account" />
        <NotFound title="Not an address">
          <ChainText text={path.address!} max={100} isInline /> is not an address of an account.
        </NotFound>
      </>
    );
  return <Account address={address} tab={query.get('tab')} />;
}

function Account({ address, tab }: { readonly address: AccountAddress; readonly tab: string | null }) {
  const raw = rawForm(address);
  const call = useAccount(raw);
  const [round, setRound] = useState(0);
  const query = { account: raw, limit: PAGE_ACTIONS, sort: 'desc', include_accounts: false } as const;
  const history = usePages('/api/v3/actions', query, ['actions', 'action_id']);
  const pending = usePending(raw, () => {
    call.reload();
    history.reload();
    setRound((before) => before + 1);
  });
  return (
    <>
      <PageTitle kind="Account">
        <Address address={raw} isWhole canCopy canBeName={false} />
      </PageTitle>
      <Loaded call={call}>
        {(account) => (
          <>
            <Panel
              title="Summary"
              tools={<FundLink address={address} />}
              facts={summaryOf(account, address)}
            />
            <Tabs
              label="Parts of the account"
              first={tab}
              tabs={{
                history: ['History', () => <History {...pending} pages={history} />],
                transactions: ['Transactions', () => <Transactions address={raw} round={round} />],
                ...(isNominatorPool(account) && {
                  pool: ['Pool', () => <NominatorPool address={raw} />],
                }),
                jettons: ['Jettons', () => <Jettons address={raw} round={round} />],
                nfts: ['NFTs', () => <Nfts address={raw} round={round} />],
                code: ['Code and data', () => <CodeAndData account={account} />],
                ...((account.code_boc ?? account.code_hash) !== undefined && {
                  methods: ['Get-methods', () => <GetMethods account={account} />],
                }),
              }}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

/** On a local chain everybody can have TON. */
function FundLink({ address }: { readonly address: AccountAddress }) {
  const { has_local_chain: hasChain, test_only: isTestOnly } = serverInfo.value;
  if (!hasChain) return null;
  const friendly = friendlyForm(address, { isBounceable: false, isTestOnly });
  return <a href={hrefOf(`/localnet/panel?address=${encodeURIComponent(friendly)}`)}>Fund</a>;
}

const STATUS: Readonly<Record<AccountView['status'], readonly [Tone, string]>> = {
  active: ['good', 'active'],
  uninit: ['plain', 'not deployed'],
  frozen: ['warn', 'frozen'],
  // It may have been used: money that came for it went back, or it was deleted.
  nonexist: ['plain', 'does not exist'],
};

function summaryOf(account: AccountView, address: AccountAddress): FactRecord {
  const { wallet, frozen_hash: frozenHash, lastTransaction } = account;
  const interfaces = interfacesOf(account);
  const domain = addressNames.value.book.get(account.address)?.domain;
  const [kind, text] = STATUS[account.status];
  const currencies = Object.entries(account.extra_currencies);
  const isTestOnly = serverInfo.value.test_only;
  const form = (isBounceable: boolean) => (
    <Hash value={friendlyForm(address, { isBounceable, isTestOnly })} name="address" isWhole />
  );
  return {
    Balance: <Ton nano={account.balance} />,
    'Extra currencies':
      currencies.length > 0 &&
      currencies.map(([id, amount]) => `${formatUnits(amount, 0)} of currency ${id}`).join(', '),
    Status: (
      <>
        <Badge kind={kind}>{text}</Badge>{' '}
        {!account.isIndexed && <span class="muted">as the lite servers say; the index has not seen it</span>}
      </>
    ),
    'Frozen state': frozenHash && <Hash value={frozenHash} name="hash of the frozen state" />,
    Domain: domain && <DomainLink domain={domain} />,
    Interfaces: interfaces.length > 0 && (
      <span class="tools">
        {interfaces.map((name) => (
          <Badge key={name}>{name.trim()}</Badge>
        ))}
      </span>
    ),
    Token: tokenOf(account),
    Wallet:
      wallet?.wallet_type &&
      [
        wallet.wallet_type,
        wallet.seqno !== undefined && `seqno ${wallet.seqno}`,
        wallet.wallet_id !== undefined && `id ${wallet.wallet_id}`,
      ]
        .filter(Boolean)
        .join(', '),
    'Last transaction': lastTransaction && (
      <Hash value={lastTransaction} page={transactionPage(lastTransaction)} name="transaction" />
    ),
    // The forms of the address that are not in the title.
    Bounceable: form(true),
    'Non-bounceable': form(false),
    Raw: <Hash value={rawForm(address)} name="raw address" isWhole />,
  };
}

const isNominatorPool = ({ methods }: AccountView) => hasMethod(methods, 'list_nominators');

/** Those that the API has for a nominator pool, because of its `get_pool_data` and others. */
const POOL_INTERFACES = ['daolama_vault', 'tv_pool'];

function interfacesOf(account: AccountView): readonly string[] {
  if (!isNominatorPool(account)) return account.interfaces;
  return ['nominator pool', ...account.interfaces.filter((name) => !POOL_INTERFACES.includes(name))];
}

const TOKENS = [
  ['jetton_masters', 'jetton', 'jetton_master'],
  ['nft_collections', 'NFT collection', 'nft_collection'],
  ['nft_items', 'NFT', 'nft_item', 'nft_item_simple', 'sbt'],
] as const;

/** The token that a contract is, or holds, with a link to its page. */
function tokenOf({ interfaces, address }: AccountView): ComponentChildren {
  const token = TOKENS.find(([, , ...names]) => names.some((name) => interfaces.includes(name)));
  if (token !== undefined) return <a href={hrefOf(tokenPage(address, token[0]))}>Page of this {token[1]}</a>;
  return interfaces.includes('jetton_wallet') ? <JettonWallet address={address} /> : undefined;
}

function JettonWallet({ address }: { readonly address: string }) {
  const { data } = useGet('/api/v3/jetton/wallets', { address: [address], limit: 1 });
  const wallet = data?.jetton_wallets[0];
  if (wallet === undefined) return <span class="muted">a jetton wallet</span>;
  return (
    <>
      Holds <TokenAmount amount={wallet.balance} asset={wallet.jetton} /> of{' '}
      <Address address={wallet.owner} />
    </>
  );
}
