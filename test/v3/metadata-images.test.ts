import { describe, expect, it } from 'vitest';
import { resolveImageUrls } from '../../src/v3/address-book.ts';

const BASE = 'https://img.example';
const IMAGES = {
  _image_small: '/s',
  _image_small_blur: '/s-blur',
  _image_medium: '/m',
  _image_big_blur: '/b-blur',
};

describe('resolveImageUrls', () => {
  it('prepends the proxy URL once, and leaves out blurred images', () => {
    for (const baseUrl of [BASE, `${BASE}/`]) {
      expect(resolveImageUrls(IMAGES, { isNsfw: false, baseUrl })).toEqual({
        _image_small: `${BASE}/s`,
        _image_medium: `${BASE}/m`,
      });
    }
    const paths = { _image_small: '/s', _image_medium: '/m' };
    expect(resolveImageUrls(IMAGES, { isNsfw: false, baseUrl: undefined })).toEqual(paths);
  });

  it('prepends the proxy URL to paths only', () => {
    const extra = { _image_small: 'https://example.org/s.png', _image_big: 'b' };
    expect(resolveImageUrls(extra, { isNsfw: false, baseUrl: BASE })).toEqual(extra);
  });

  it('replaces images of NSFW tokens by blurred ones or removes them', () => {
    expect(resolveImageUrls(IMAGES, { isNsfw: true, baseUrl: BASE })).toEqual({
      _image_small: `${BASE}/s-blur`,
      _image_medium: '',
    });
    expect(resolveImageUrls(IMAGES, { isNsfw: true, baseUrl: undefined })).toEqual({
      _image_small: '/s-blur',
      _image_medium: '',
    });
  });

  it('leaves other fields and other values unchanged', () => {
    const extra = { image_data: 'x', _image_big: 7, _image_small: '', decimals: '9' };
    expect(resolveImageUrls(extra, { isNsfw: false, baseUrl: BASE })).toEqual(extra);
  });
});
