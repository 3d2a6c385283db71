/**
 * The platform's digests, signatures and copies, made where the test runs. Node makes the first two in other threads, and a
 * copy by writing a value out and reading it again: most of what a small call or a small row costs. The results are the same
 * (in-this-thread.test.ts).
 */
import { createHash, createHmac, KeyObject } from 'node:crypto'
import { isProxy } from 'node:util/types'

const { subtle } = crypto
type Subtle = Pick<SubtleCrypto, 'digest' | 'sign'>
const platform: Subtle & { structuredClone: typeof structuredClone } = {
  digest: subtle.digest.bind(subtle),
  sign: subtle.sign.bind(subtle),
  structuredClone: globalThis.structuredClone,
}

/** An `ArrayBuffer` of its own: a buffer of Node lies in one that others share. */
const alone = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer
const bytesOf = (data: BufferSource) =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
const nameOf = (algorithm: AlgorithmIdentifier) =>
  typeof algorithm === 'string' ? algorithm : algorithm.name

const inThisThread: Subtle = {
  async digest(algorithm, data) {
    if (nameOf(algorithm) !== 'SHA-256') return platform.digest(algorithm, data)
    return alone(createHash('sha256').update(bytesOf(data)).digest())
  },
  async sign(algorithm, key, data) {
    const { name, hash } = key.algorithm as HmacKeyAlgorithm
    const isHere = name === 'HMAC' && hash.name === 'SHA-256' && key.usages.includes('sign')
    if (!isHere || nameOf(algorithm) !== 'HMAC') return platform.sign(algorithm, key, data)
    return alone(createHmac('sha256', KeyObject.from(key)).update(bytesOf(data)).digest())
  },
}

/** Deeper than any row: what goes on for ever is the platform's to copy. */
const DEEPEST = 40
const ELSE = Symbol('is left to the platform')

/** @returns a copy of what JSON can hold, and `undefined`; `ELSE` of all other values */
function copyOf(value: unknown, depth = 0): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return ELSE
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST || isProxy(value)) return ELSE
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value) && prototype === Array.prototype) return copyOfList(value, depth)
  if (prototype !== Object.prototype) return ELSE
  const copy: Record<string, unknown> = {}
  for (const [name, each] of Object.entries(value)) {
    const own = copyOf(each, depth + 1)
    if (own === ELSE || name === '__proto__') return ELSE
    copy[name] = own
  }
  return copy
}

function copyOfList(list: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = []
  for (const each of list) {
    const own = copyOf(each, depth + 1)
    if (own === ELSE) return ELSE
    copy.push(own)
  }
  return copy
}

Object.assign(subtle, inThisThread)
globalThis.structuredClone = <T>(value: T, options?: StructuredSerializeOptions): T => {
  const copy = options === undefined ? copyOf(value) : ELSE
  return copy === ELSE ? platform.structuredClone(value, options) : (copy as T)
}
