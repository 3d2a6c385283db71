import { render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { inWords } from '#ui/base/in-words.tsx'

const NAME = '酸素・硫化水素濃度測定記録'

afterEach(() => void vi.unstubAllGlobals())

test('a long name breaks between its words, never before ・, and is one text to a screen reader', () => {
  const { getByRole, container } = render(<button type="button">{inWords(NAME)}</button>)
  expect(getByRole('button', { name: NAME })).toBeDefined()
  const parts = [...container.querySelectorAll('.words > span')].map((each) => each.textContent)
  expect(parts).toEqual(['酸素・', '硫化', '水素', '濃度', '測定', '記録'])
})

test.each([
  'KY活動表',
  'Oxygen and hydrogen sulphide record',
  '酸素・硫化水素濃度測定記録 2',
  '安全対策一覧',
])('%s stays as it is', (name) => expect(inWords(name)).toBe(name))

test('a browser that knows no words shows the name as it is', () => {
  vi.stubGlobal('Intl', {})
  expect(inWords(NAME)).toBe(NAME)
})
