import type { TokenInfo } from '../api/v3.d.ts';
import { hrefOf, pagePath } from '../router.ts';
import { accountPage, friendlyAddress } from './address.tsx';
import { ChainText } from './chain-text.tsx';

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
