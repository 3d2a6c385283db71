/** What tests make in their own thread is what the platform makes (support/in-this-thread.ts). */
import { createHash, createHmac } from 'node:crypto'
import { serialize, deserialize } from 'node:v8'
import { expect, test } from 'vitest'

const bytes = new TextEncoder().encode('POST\n/api/v1/crm/rest/spa/quickReport/\n{"outTime":null}')
const hex = (buffer: ArrayBuffer) => Buffer.from(buffer).toString('hex')

test('a digest and a signature are those of the bytes that are given, and in buffers of their own', async () => {
  const { subtle } = crypto
  const part = bytes.subarray(5, 20)
  const digest = await subtle.digest('SHA-256', part)
  expect(hex(digest)).toBe(createHash('sha256').update(part).digest('hex'))
  expect(digest.byteLength).toBe(32)
  expect(hex(await subtle.digest({ name: 'SHA-512' }, part))).toBe(
    createHash('sha512').update(part).digest('hex'),
  )
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  expect(hex(await subtle.sign('HMAC', key, part))).toBe(
    createHmac('sha256', bytes).update(part).digest('hex'),
  )
  const onlyVerifies = await subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  await expect(subtle.sign('HMAC', onlyVerifies, part)).rejects.toThrow(/usages|Unable to use this key/)
})

test.each([
  ['a row', { key: 'a', n: [1, null, { deep: [undefined, true] }], none: undefined }],
  ['dates, bytes and sets', { at: new Date(5), set: new Set([1]), bytes: new Uint8Array([1, 2]).buffer }],
  ['lists in lists', [[[{ a: 1n }]]]],
])('a copy of %s is equal, and shares nothing', (_, value) => {
  const copy = structuredClone<unknown>(value)
  expect(copy).toEqual(deserialize(serialize(value)))
  expect(copy).not.toBe(value)
})

test.each([
  ['a function', { run: () => 0 }],
  ['a proxy', [new Proxy({}, {})]],
])('%s in a value cannot be copied', (_, value) => {
  expect(() => structuredClone<unknown>(value)).toThrow(/could not be cloned/)
})

test('a value that holds itself is copied so', () => {
  const value: { own?: unknown } = {}
  value.own = value
  const copy = structuredClone(value)
  expect(copy.own).toBe(copy)
  expect(copy).not.toBe(value)
})
