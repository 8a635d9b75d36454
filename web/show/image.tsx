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
  return (
    <span class={`chain-image ${size} tone-${toneOf(name)}`} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}

const TONES = 6;

/** The colour behind a letter, always the same for a name. */
function toneOf(name: string): number {
  let sum = 0;
  for (let i = 0; i < name.length; i++) sum = (sum * 31 + name.charCodeAt(i)) % 65_521;
  return (sum % TONES) + 1;
}

function isProxied(source: unknown): source is string {
  const origin = serverInfo.value.image_origin;
  return (
    typeof source === 'string' && origin !== null && URL.canParse(source) && new URL(source).origin === origin
  );
}
