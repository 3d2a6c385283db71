/**
 * The facts of several requests that are registered together. An equal value appears once, with the names of its
 * requests.
 */
import { requestHead } from '#data/visits/request-facts.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'

interface SharedFact<T> {
  value: T
  /** Names of the requests with this value; empty if all requests share it. */
  of: readonly string[]
}

/** Returns one fact for each distinct value, in the order of the requests. */
export function sharedFacts<T>(
  requests: readonly RequestRecord[],
  valueOf: (request: RequestRecord) => T,
): SharedFact<T>[] {
  const names = requestNames(requests)
  const facts = new Map<string, { value: T; of: string[] }>()
  for (const [index, request] of requests.entries()) {
    const value = valueOf(request)
    const fact = facts.get(JSON.stringify(value)) ?? { value, of: [] }
    fact.of.push(names[index] ?? request.requestCode)
    facts.set(JSON.stringify(value), fact)
  }
  return facts.size === 1 ? [...facts.values()].map(({ value }) => ({ value, of: [] })) : [...facts.values()]
}

/** Returns names such as 09:00〜10:30 保守. Requests with equal time and kind also get their request code. */
export function requestNames(requests: readonly RequestRecord[]): string[] {
  const names = requests.map((request) => {
    const { start, end, order } = requestHead(request)
    return [[start, end].some(Boolean) ? `${start}〜${end}` : '', order?.label].filter(Boolean).join(' ')
  })
  return names.map((name, index) => {
    const isOnly = name !== '' && names.filter((other) => other === name).length === 1
    return isOnly ? name : [name, requests[index]?.requestCode].filter(Boolean).join(' ')
  })
}
