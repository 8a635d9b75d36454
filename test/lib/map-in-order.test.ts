import { describe, expect, it } from 'vitest';
import { mapInOrder } from '../../src/lib/map-in-order.ts';

describe('mapInOrder', () => {
  it('keeps the order of the items and the bound on what runs at once', async () => {
    let running = 0;
    let most = 0;
    const results = await mapInOrder([5, 1, 4, 2, 3], 2, async (item, position) => {
      most = Math.max(most, ++running);
      for (let i = 0; i < item; i++) await Promise.resolve();
      running--;
      return `${position}:${item}`;
    });
    expect(results).toEqual(['0:5', '1:1', '2:4', '3:2', '4:3']);
    expect(most).toBe(2);
  });

  it('rejects when one item fails, and takes an empty list', async () => {
    await expect(mapInOrder([1], 4, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await mapInOrder([], 4, () => Promise.reject(new Error('no')))).toEqual([]);
  });
});
