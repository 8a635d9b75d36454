import type { Pages } from '../api/use-pages.ts';

/** Loads the next page of a list, where there is one. */
export function MoreButton({
  pages: { more, isLoadingMore },
}: {
  readonly pages: Pick<Pages<unknown>, 'more' | 'isLoadingMore'>;
}) {
  if (more === undefined) return null;
  return (
    <p class="more">
      <button type="button" onClick={more} disabled={isLoadingMore}>
        {isLoadingMore ? 'Loading…' : 'Show more'}
      </button>
    </p>
  );
}
