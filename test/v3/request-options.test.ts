import { describe, expect, it } from 'vitest';
import { queryValues } from '../../src/v3/query.ts';
import { readRequestOptions } from '../../src/v3/request-options.ts';

const read = (headers: Record<string, string>, query: Record<string, string | string[]> = {}) =>
  readRequestOptions(headers, queryValues(query));

describe('request options', () => {
  it('have defaults', () => {
    expect(read({})).toEqual({
      timeoutMs: 3000,
      noAddressBook: false,
      noMetadata: false,
      debug: false,
      actionsVersion: undefined,
    });
  });

  it('come from headers and from their twins in the query', () => {
    expect(
      read({ 'x-timeout': '250', 'x-no-address-book': '1', 'x-no-metadata': 'True', 'x-debug-request': 't' }),
    ).toEqual({
      timeoutMs: 250,
      noAddressBook: true,
      noMetadata: true,
      debug: true,
      actionsVersion: undefined,
    });
    const twins = {
      X_Timeout: '250',
      x_no_address_book: 'TRUE',
      x_no_metadata: 'T',
      x_debug_request: 'true',
    };
    expect(read({}, twins)).toEqual({
      timeoutMs: 250,
      noAddressBook: true,
      noMetadata: true,
      debug: true,
      actionsVersion: undefined,
    });
  });

  it('prefer the header, unless it is empty', () => {
    expect(read({ 'x-timeout': '100' }, { x_timeout: '200' }).timeoutMs).toBe(100);
    expect(read({ 'x-timeout': '' }, { x_timeout: '200' }).timeoutMs).toBe(200);
    expect(read({ 'x-no-metadata': 'false' }, { x_no_metadata: 'true' }).noMetadata).toBe(false);
    expect(read({}, { x_timeout: ['100', '200'] }).timeoutMs).toBe(200);
  });

  it.each([
    ['1', 1],
    ['3000', 3000],
    ['60000', 3000],
    ['2147483647', 3000],
    ['2147483648', 3000],
    ['-99999999999', 3000],
    ['1.5', 3000],
    ['soon', 3000],
    ['100, 200', 3000],
  ])('read X-Timeout %j as %d ms', (text, timeoutMs) => {
    expect(read({ 'x-timeout': text }).timeoutMs).toBe(timeoutMs);
  });

  it.each(['0', '-1', '-2147483648'])('fail at once with X-Timeout %s', (text) => {
    const timeout = expect.objectContaining({
      kind: 'timeout',
      message: 'timeout: context deadline exceeded',
    });
    expect(() => read({ 'x-timeout': text })).toThrow(timeout);
    expect(() => read({}, { x_timeout: text })).toThrow(timeout);
  });

  it('refuse a switch that is neither on nor off, by the name it was sent under', () => {
    expect(() => read({ 'x-no-metadata': 'on' })).toThrow('error converting value for "X-No-Metadata"');
    expect(() => read({}, { x_no_metadata: 'yes' })).toThrow('error converting value for "x_no_metadata"');
  });

  it('take the actions version from the header alone', () => {
    expect(read({ 'x-actions-version': 'v1' }).actionsVersion).toBe('v1');
    expect(read({ 'x-actions-version': '' }, { x_actions_version: 'v1' }).actionsVersion).toBeUndefined();
  });
});
