import { requestHead } from '#data/visits/request-facts.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'

/** Returns one fact for each distinct value. `of` names its requests; it is empty if all requests share the value. */
export function sharedFacts<T>(
  requests: readonly RequestRecord[],
  valueOf: (request: RequestRecord) => T,
): { value: T; of: string[] }[] {
  const names = requestNames(requests)
  const facts = new Map<string, { value: T; of: string[] }>()
  for (const [index, request] of requests.entries()) {
    const value = valueOf(request)
    const fact = facts.get(JSON.stringify(value)) ?? { value, of: [] }
    fact.of.push(names[index] ?? request.requestCode)
    facts.set(JSON.stringify(value), fact)
  }
  return [...facts.values()].map(({ value, of }) => ({ value, of: facts.size === 1 ? [] : of }))
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
