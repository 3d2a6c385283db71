import { describe, expect, test } from 'vitest'
import { requestNames, sharedFacts } from '#features/request/entry/shared-facts.ts'
import { requestOn } from '../../../support/visit-records.ts'

const at = (id: string, hour: string, orderFlag: string, inMethod: string) => ({
  ...requestOn(id, '2026-11-20'),
  workingStartTime: `2026-11-20T${hour}:00:00+09:00`,
  workingEndTime: `2026-11-20T${hour}:30:00+09:00`,
  orderFlag,
  inMethod,
})
const textOf = ({ inMethod }: { inMethod: string | null }) => inMethod

describe('[hands 1] what several requests have in common', () => {
  test('equal facts are said once, of nobody in particular', () => {
    const requests = [at('1', '09', '1', '受付'), at('2', '10', '1', '受付'), at('3', '11', '1', '受付')]
    expect(sharedFacts(requests, textOf)).toEqual([{ value: '受付', of: [] }])
  })

  test('different ones name the requests by time and kind', () => {
    const requests = [at('1', '09', '1', '受付'), at('2', '10', '2', '裏口'), at('3', '11', '1', '受付')]
    const [first, second, third] = requestNames(requests)
    expect(first).toMatch(/^09:00〜09:30 \S+$/)
    expect(sharedFacts(requests, textOf)).toEqual([
      { value: '受付', of: [first, third] },
      { value: '裏口', of: [second] },
    ])
  })

  test('two of the same time and kind are told apart by their codes', () => {
    const names = requestNames([at('1', '09', '1', ''), at('2', '09', '1', '')])
    expect(names[0]).toMatch(/R26-1$/)
    expect(new Set(names).size).toBe(2)
  })
})
