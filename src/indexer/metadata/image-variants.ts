import { createHmac } from 'node:crypto';
import { gatewayUrl } from './gateway-url.ts';
import type { ImgproxySettings } from './metadata-settings.ts';

const SIZES = ['small', 'medium', 'big'] as const;
const BLUR = '/bl:256';
/** Six paths are made of it, which are kept and shown with every answer. */
const MAX_IMAGE_LENGTH = 2048;

/** The names of the paths, which no document from elsewhere may give. */
export const IMAGE_VARIANTS: ReadonlySet<string> = new Set(
  SIZES.flatMap((size) => [`_image_${size}`, `_image_${size}_blur`]),
);

/** Paths of an imgproxy for an image in all sizes, plain and blurred; none for what is no address of the web. */
export function imageVariants(
  image: string,
  { key, salt, ipfsGateway }: ImgproxySettings & { readonly ipfsGateway: string },
): Record<string, string> {
  const source = sourceOf(image, ipfsGateway);
  if (source === undefined) return {};
  const encoded = Buffer.from(source).toString('base64url');
  const sign = (path: string) => {
    if (key === undefined) return `/insecure${path}`;
    const hmac = createHmac('sha256', key).update(salt ?? '');
    return `/${hmac.update(path).digest('base64url')}${path}`;
  };
  return Object.fromEntries(
    SIZES.flatMap((size) => [
      [`_image_${size}`, sign(`/pr:${size}/${encoded}`)],
      [`_image_${size}_blur`, sign(`/pr:${size}${BLUR}/${encoded}`)],
    ]),
  );
}

/** Our signature must not open what else an imgproxy can read: files of its machine, buckets of its owner. */
function sourceOf(image: string, ipfsGateway: string): string | undefined {
  if (image.length > MAX_IMAGE_LENGTH) return undefined;
  if (/^https?:\/\//i.test(image)) return image;
  return gatewayUrl(image, 'ipfs', ipfsGateway)?.href;
}
