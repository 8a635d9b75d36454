import { pagePath } from '../router.ts';
import { friendlyAddress } from './address.tsx';

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

/** Path of the page of a domain. */
export function domainPage(domain: string): string {
  return pagePath('domain', domain);
}
