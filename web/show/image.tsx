import { useState } from 'preact/hooks';
import { serverInfo } from '../server-info.ts';

interface ChainImageProps {
  /** Addresses by falling preference; only those of the configured image proxy are loaded. */
  readonly sources: readonly unknown[];
  readonly size: 'small' | 'large';
  /** Stands for the image where there is none: its first letter is shown. */
  readonly name: string;
}

/** An image that something on the chain names. It is loaded through the image proxy or not at all. */
export function ChainImage({ sources, size, name }: ChainImageProps) {
  const [isBroken, setBroken] = useState(false);
  const source = isBroken ? undefined : sources.find(isProxied);
  if (source !== undefined)
    return (
      <img
        class={`chain-image ${size}`}
        src={source}
        alt=""
        loading="lazy"
        referrerpolicy="no-referrer"
        onError={() => setBroken(true)}
      />
    );
  const letter = /\p{L}|\p{N}/u.exec(name)?.[0] ?? '?';
  const [background, color] = toneOf(name);
  return (
    <span class={`chain-image ${size}`} style={{ background, color }} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}

/** Colours behind letters and of letters, so that neighbours can be told apart. */
const TONES = [
  ['light-dark(#dbe7fd, #1c2f52)', 'light-dark(#1d4fa5, #a5c5ff)'],
  ['light-dark(#dcf1e4, #16361f)', 'light-dark(#14633a, #8fdcae)'],
  ['light-dark(#fbe7d3, #40290f)', 'light-dark(#85480a, #f3bd84)'],
  ['light-dark(#efe1fb, #33204a)', 'light-dark(#6b2fa8, #d3b0f7)'],
  ['light-dark(#fce1e9, #451b2a)', 'light-dark(#9c1f4a, #f7a8c0)'],
  ['light-dark(#d8f0f2, #123539)', 'light-dark(#0e5c66, #8bd8e2)'],
] as const;

/** Always the same for a name. */
function toneOf(name: string): (typeof TONES)[number] {
  let sum = 0;
  for (let i = 0; i < name.length; i++) sum = (sum * 31 + name.charCodeAt(i)) % 65_521;
  return TONES[sum % TONES.length]!;
}

function isProxied(source: unknown): source is string {
  const origin = serverInfo.value.image_origin;
  return (
    typeof source === 'string' && origin !== null && URL.canParse(source) && new URL(source).origin === origin
  );
}
