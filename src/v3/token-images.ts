type Extra = Readonly<Record<string, unknown>>;

const SIZES = ['_image_small', '_image_medium', '_image_big'] as const;

/**
 * The images of a token in three sizes, which are stored as paths of an imgproxy: with the base URL in front, and blurred
 * if the token is not for everybody's eyes. The blurred ones of other tokens stay paths, as clients know them.
 */
export function showImages(
  extra: Extra,
  { isNsfw, baseUrl }: { readonly isNsfw: boolean; readonly baseUrl: string | undefined },
): Extra {
  const shown: Record<string, unknown> = { ...extra };
  for (const size of SIZES) {
    if (isNsfw) {
      if (size in shown) shown[size] = shown[`${size}_blur`] ?? '';
      delete shown[`${size}_blur`];
    }
    const path = shown[size];
    if (baseUrl !== undefined && typeof path === 'string' && path !== '')
      shown[size] = joinUrl(baseUrl, path);
  }
  return shown;
}

function joinUrl(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}
