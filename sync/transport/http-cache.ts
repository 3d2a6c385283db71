/** Cached CRM answers to reads, for "not modified" responses (decisions/pull). */
import type { Answer } from './outcome.ts'

export interface CachedAnswer {
  /** As received, weak or strong. */
  etag: string
  /** The JSON text as received. */
  text: string
  /** Its `x-total-count`. */
  total: number | null
}

/** The cache of one user, outside RxDB. A lost entry only costs a full response. No method throws. */
export interface AnswerCache {
  get(url: string): Promise<CachedAnswer | undefined>
  put(url: string, answer: CachedAnswer): void
  /** Called when the CRM has confirmed that the cached answer is still valid. */
  confirm(url: string): void
  remove(url: string): void
  /**
   * Deletes entries that were not confirmed for a day.
   * @param now epoch ms
   */
  expire(now: number): Promise<void>
}

/** ETags, including weak ones: for reads, equivalent content is enough (RFC 9110 8.8.3.2). */
const TAG = /^(?:W\/)?"[\x21\x23-\x7e]{1,256}"$/

export const isTag = (header: string | null | undefined): header is string => TAG.test(header ?? '')

/** Weak comparison (RFC 9110 8.8.3.2): the prefix `W/` is ignored. */
export const isSameTag = (a: string, b: string): boolean => opaque(a) === opaque(b)
const opaque = (tag: string) => tag.replace(/^W\//, '')

/** The cache entry of an answer; undefined if it must not be cached. */
export function toCache(answer: Answer): CachedAnswer | undefined {
  if (answer.kind !== 'answer' || answer.status !== 200 || answer.text === undefined) return undefined
  const { etag, text, total } = answer
  return isTag(etag) ? { etag, text, total } : undefined
}
