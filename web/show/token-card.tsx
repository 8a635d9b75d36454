import type { ComponentChildren } from 'preact';
import { knownNames } from '../api/known-names.ts';
import type { components } from '../api/v3.d.ts';
import { hrefOf } from '../router.ts';
import { friendlyAddress } from './address.tsx';
import { ChainText, cleanText } from './chain-text.tsx';
import { shortened } from './hash.tsx';
import { ChainImage } from './image.tsx';
import { tokenNameOf } from './token.ts';
import './token-card.css';

type TokenInfo = components['schemas']['TokenInfo'];

const MAX_NAME_CHARS = 60;

/** What is known about a token of one kind. */
export function tokenInfoOf(address: string, type: string): TokenInfo | undefined {
  return knownNames.value.tokens.get(address)?.find((info) => info.type === type);
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
export function imageSources(
  info: TokenInfo | undefined,
  size: 'small' | 'medium' | 'big',
): readonly unknown[] {
  const { extra } = info ?? {};
  return [extra?.[`_image_${size}`], extra?._image_medium, extra?._image_big, info?.image];
}

interface TokenCardProps {
  readonly address: string;
  readonly type: string;
  readonly page: string;
  readonly children?: ComponentChildren;
}

/** A token as a picture with its name. */
export function TokenCard({ address, type, page, children }: TokenCardProps) {
  const info = tokenInfoOf(address, type);
  const title = tokenTitle(info, address);
  return (
    <li class="token-card">
      <a href={hrefOf(page)} title={friendlyAddress(address)}>
        <ChainImage sources={imageSources(info, 'medium')} size="large" name={title} />
        <bdi>{title}</bdi>
      </a>
      {children !== undefined && <div class="muted">{children}</div>}
    </li>
  );
}

interface TokenHeadProps {
  readonly address: string;
  readonly info: TokenInfo | undefined;
  readonly children: ComponentChildren;
}

/** The picture of a token beside what is known about it. */
export function TokenHead({ address, info, children }: TokenHeadProps) {
  return (
    <div class="token-head">
      <div class="picture">
        <ChainImage sources={imageSources(info, 'big')} size="large" name={tokenTitle(info, address)} />
      </div>
      {children}
    </div>
  );
}

/** Names of metadata that are shown elsewhere or mean nothing to people. */
const HIDDEN = new Set(['name', 'symbol', 'decimals', 'description', 'image', 'uri', 'attributes', 'lottie']);
const MAX_EXTRA = 20;

/** The metadata of a token: what its owner says about it. Links are text, not links. */
export function metadataFacts(
  info: TokenInfo | undefined,
  content: Readonly<Record<string, unknown>> | null,
): [string, ComponentChildren][] {
  const text = (value: unknown): ComponentChildren =>
    typeof value === 'string' && value !== '' ? <ChainText text={value} /> : undefined;
  const extra = Object.entries(info?.extra ?? {}).filter(
    ([name, value]) => !HIDDEN.has(name) && !name.startsWith('_') && typeof value !== 'object',
  );
  return [
    ['Name', text(info?.name)],
    ['Symbol', text(info?.symbol)],
    ['Description', text(info?.description)],
    ['Image', text(info?.image)],
    ['Metadata', text(content?.uri)],
    ...extra
      .slice(0, MAX_EXTRA)
      .map(([name, value]): [string, ComponentChildren] => [
        cleanText(name.slice(0, 40)),
        text(String(value)),
      ]),
    ['Attributes', attributesOf(info?.extra?.attributes)],
  ];
}

const MAX_ATTRIBUTES = 50;

/** Traits of an NFT, as most collections write them. */
function attributesOf(attributes: unknown): ComponentChildren {
  if (!Array.isArray(attributes) || attributes.length === 0) return undefined;
  return (
    <ul class="attributes">
      {attributes.slice(0, MAX_ATTRIBUTES).map((one: unknown, i) => {
        const { trait_type: trait, value } = (one ?? {}) as Record<string, unknown>;
        return (
          <li key={i}>
            <span class="muted">
              <ChainText text={String(trait ?? 'trait')} max={40} isInline />
            </span>{' '}
            <ChainText text={String(value ?? '')} max={80} isInline />
          </li>
        );
      })}
    </ul>
  );
}
