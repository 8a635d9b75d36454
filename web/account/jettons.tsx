import { TokenAmount } from '../actions/action-sentence.tsx';
import { usePages } from '../api/use-pages.ts';
import { hrefOf } from '../router.ts';
import { Address } from '../show/address.tsx';
import { ChainImage } from '../show/image.tsx';
import { ListPanel } from '../show/list-panel.tsx';
import { Table } from '../show/table.tsx';
import { jettonPage } from '../show/token.tsx';
import { imageSources, tokenInfoOf, tokenTitle } from '../show/token-card.tsx';

const PAGE_ROWS = 50;

export interface HoldingsProps {
  readonly address: string;
  /** Grows when the account changed. */
  readonly round: number;
}

/** The jettons that an account has. */
export function Jettons({ address, round }: HoldingsProps) {
  const pages = usePages('/api/v3/jetton/wallets', {
    query: { owner_address: [address], exclude_zero_balance: true, limit: PAGE_ROWS },
    rowsOf: ({ jetton_wallets: wallets }) => wallets,
    keyOf: (wallet) => wallet.address,
    round,
  });
  return (
    <ListPanel title="Jettons" pages={pages} empty="This account has no jettons.">
      {(wallets) => (
        <Table
          name="Table of jettons"
          rows={wallets}
          keyOf={({ address: wallet }) => wallet}
          columns={{
            Jetton: ({ jetton }) => <Jetton address={jetton} />,
            Balance: {
              kind: 'number',
              show: ({ jetton, balance }) => <TokenAmount amount={balance} asset={jetton} />,
            },
            'Jetton wallet': ({ address: wallet }) => <Address address={wallet} />,
          }}
        />
      )}
    </ListPanel>
  );
}

/** A jetton with its picture and name. */
export function Jetton({ address }: { readonly address: string }) {
  const info = tokenInfoOf(address, 'jetton_masters');
  const title = tokenTitle(info, address);
  return (
    <a class="jetton" href={hrefOf(jettonPage(address))}>
      <ChainImage sources={imageSources(info, 'small')} size="small" name={title} />
      <bdi>{title}</bdi>
    </a>
  );
}
