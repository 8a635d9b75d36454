import type { ComponentChildren } from 'preact';
import { addressNames } from '../api/address-names.ts';
import type { TokenInfo } from '../api/v3.d.ts';
import { hrefOf, pagePath } from '../router.ts';
import { friendlyAddress } from './address.tsx';
import { ChainText, cleanText } from './chain-text.tsx';
import { shortened } from './hash.tsx';
import { ChainImage } from './image.tsx';
import { ListPanel, type ListProps } from './list-panel.tsx';
import './token.css';

const MAX_NAME_CHARS = 60;

/** The metadata of a token of one kind, as far as answers told it. */
export function tokenInfoOf(address: string, type: string): TokenInfo | undefined {
  return addressNames.value.tokens.get(address)?.find((info) => info.type === type);
}

/** A name from the chain on one line; the address where there is none. */
export function tokenTitle(info: TokenInfo | undefined, address: string): string {
  const name = tokenNameOf(info) ?? info?.symbol ?? '';
  const clean = cleanText(name.slice(0, MAX_NAME_CHARS * 4))
    .replace(/\s+/g, ' ')
    .trim();
  if (clean === '') return shortened(friendlyAddress(address));
  return clean.length > MAX_NAME_CHARS ? `${clean.slice(0, MAX_NAME_CHARS)}…` : clean;
}

/** Addresses of the image of a token through the proxy, the wanted size first. */
export function imageSources(info: TokenInfo | undefined, size: 'small' | 'medium' | 'big') {
  const { extra } = info ?? {};
  return [extra?.[`_image_${size}`], extra?._image_medium, extra?._image_big, info?.image];
}

interface ListCardsProps<Row> extends ListProps<Row> {
  readonly type: string;
  /** Stands below the name of a token. */
  readonly note: (row: Row) => ComponentChildren;
}

/** A list of tokens as pictures with their names. */
export function ListCards<Row extends { readonly address: string }>({
  type,
  note,
  ...list
}: ListCardsProps<Row>) {
  return (
    <ListPanel {...list}>
      {(tokens) => (
        <ul class="token-cards">
          {tokens.map((token) => (
            <li key={token.address} class="token-card">
              <TokenLink address={token.address} type={type} size="large" />
              <div class="muted">{note(token)}</div>
            </li>
          ))}
        </ul>
      )}
    </ListPanel>
  );
}

interface TokenLinkProps {
  readonly address: string;
  readonly type: string;
  readonly size?: 'small' | 'large';
}

/** The picture and the name of a token as a link to its page. */
export function TokenLink({ address, type, size = 'small' }: TokenLinkProps) {
  const info = tokenInfoOf(address, type);
  const title = tokenTitle(info, address);
  const sources = imageSources(info, size === 'small' ? 'small' : 'medium');
  return (
    <a class={`token-link ${size}`} href={hrefOf(tokenPage(address, type))} title={friendlyAddress(address)}>
      <ChainImage sources={sources} size={size} name={title} />
      <bdi>{title}</bdi>
    </a>
  );
}

/** The name of a token; that of a domain for one that stands for it. */
export function tokenNameOf(info: TokenInfo | undefined): string | undefined {
  const domain = info?.extra?.domain;
  return info?.name || (typeof domain === 'string' ? domain : undefined);
}

const PAGES: Readonly<Record<string, string>> = {
  jetton_masters: 'jetton',
  nft_items: 'nft',
  nft_collections: 'collection',
};

/** Path of the page of a token of a kind, as metadata names kinds; that of its account for others. */
export function tokenPage(address: string, kind = ''): string {
  return pagePath(PAGES[kind] ?? 'account', friendlyAddress(address));
}

export function DomainLink({ domain }: { readonly domain: string }) {
  return (
    <a href={hrefOf(pagePath('domain', domain))}>
      <ChainText text={domain} isInline />
    </a>
  );
}
