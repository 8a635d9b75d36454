import { jettonDecimals, TokenName } from '../actions/action-sentence.tsx';
import { usePages } from '../api/use-pages.ts';
import { hrefOf } from '../router.ts';
import { Address } from '../show/address.tsx';
import { formatUnits } from '../show/amount.tsx';
import { ChainImage } from '../show/image.tsx';
import { MoreButton } from '../show/more-button.tsx';
import { Empty, Loaded, Panel, ScrollRegion } from '../show/panel.tsx';
import { jettonPage } from '../show/token.ts';
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
    <Panel title="Jettons">
      <Loaded call={pages}>
        {(wallets) =>
          wallets.length === 0 ? (
            <Empty>This account has no jettons.</Empty>
          ) : (
            <>
              <ScrollRegion name="Table of jettons">
                <table>
                  <thead>
                    <tr>
                      <th>Jetton</th>
                      <th class="number">Balance</th>
                      <th>Jetton wallet</th>
                    </tr>
                  </thead>
                  <tbody>
                    {wallets.map(({ address: wallet, jetton, balance }) => (
                      <tr key={wallet}>
                        <td>
                          <Jetton address={jetton} />
                        </td>
                        <td class="number">
                          {formatUnits(balance, jettonDecimals(jetton))}{' '}
                          <TokenName address={jetton} isSymbol />
                        </td>
                        <td>
                          <Address address={wallet} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </ScrollRegion>
              <MoreButton pages={pages} />
            </>
          )
        }
      </Loaded>
    </Panel>
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
