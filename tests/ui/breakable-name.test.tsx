import { render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { breakableName } from '#ui/base/breakable-name.tsx'

const NAME = '酸素・硫化水素濃度測定記録'

afterEach(() => void vi.unstubAllGlobals())

test('a long name breaks between its words, never before ・, and stays one text for a screen reader', () => {
  const { getByRole, container } = render(<button type="button">{breakableName(NAME)}</button>)
  expect(getByRole('button', { name: NAME })).toBeDefined()
  const parts = [...container.querySelectorAll('.words > span')].map((each) => each.textContent)
  expect(parts).toEqual(['酸素・', '硫化', '水素', '濃度', '測定', '記録'])
})

test.each([
  'KY活動表',
  'Oxygen and hydrogen sulphide record',
  '酸素・硫化水素濃度測定記録 2',
  '安全対策一覧',
])('%s stays unchanged', (name) => expect(breakableName(name)).toBe(name))

test('a browser without Intl.Segmenter shows the name unchanged', () => {
  vi.stubGlobal('Intl', {})
  expect(breakableName(NAME)).toBe(NAME)
})
