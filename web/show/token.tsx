import type { ComponentChildren } from 'preact';
import { addressNames } from '../api/address-names.ts';
import type { TokenInfo } from '../api/v3.d.ts';
import { hrefOf, pagePath } from '../router.ts';
import { accountPage, friendlyAddress } from './address.tsx';
import { ChainText, cleanText } from './chain-text.tsx';
import { shortened } from './hash.tsx';
import { ChainImage } from './image.tsx';
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

interface TokenCardProps {
  readonly address: string;
  readonly type: string;
  readonly children?: ComponentChildren;
}

/** A token as a picture with its name. */
export function TokenCard({ address, type, children }: TokenCardProps) {
  const info = tokenInfoOf(address, type);
  const title = tokenTitle(info, address);
  return (
    <li class="token-card">
      <a href={hrefOf(tokenPage(address, type))} title={friendlyAddress(address)}>
        <ChainImage sources={imageSources(info, 'medium')} size="large" name={title} />
        <bdi>{title}</bdi>
      </a>
      {children !== undefined && <div class="muted">{children}</div>}
    </li>
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

/** The name of a token; that of a domain for one that stands for it. */
export function tokenNameOf(info: TokenInfo | undefined): string | undefined {
  const domain = info?.extra?.domain;
  return info?.name || (typeof domain === 'string' ? domain : undefined);
}

/** Path of the page of a jetton. */
export function jettonPage(address: string): string {
  return pagePath('jetton', friendlyAddress(address));
}

/** Path of the page of an NFT. */
export function nftPage(address: string): string {
  return pagePath('nft', friendlyAddress(address));
}

/** Path of the page of an NFT collection. */
export function collectionPage(address: string): string {
  return pagePath('collection', friendlyAddress(address));
}

/** Path of the page of a token of a kind, as metadata names kinds; that of its account for others. */
export function tokenPage(address: string, kind: string | undefined): string {
  if (kind === 'jetton_masters') return jettonPage(address);
  if (kind === 'nft_items') return nftPage(address);
  return kind === 'nft_collections' ? collectionPage(address) : accountPage(address);
}

/** Path of the page of a domain. */
export function domainPage(domain: string): string {
  return pagePath('domain', domain);
}

/** A domain as a link to its page. */
export function DomainLink({ domain }: { readonly domain: string }) {
  return (
    <a href={hrefOf(domainPage(domain))}>
      <ChainText text={domain} isInline />
    </a>
  );
}
