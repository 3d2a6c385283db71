import { useMemo } from 'react'
import { useServices, useValue } from '#data/app-context.tsx'
import { keptJson } from '#lib/kept-json.ts'
import { DEFAULT_CHOICE, type FilterChoice } from './filter.ts'

/** What was chosen in this tab; the usual choice where nothing, or nothing readable, is kept. */
export const readChoice = (text: string | null): FilterChoice => keptJson(text, DEFAULT_CHOICE)

/** The conditions of 依頼検索, kept for this tab. */
export function useFilterChoice(): [FilterChoice, (choice: FilterChoice) => void] {
  const store = useServices().memory.store('request-filter')
  const text = useValue(store)
  const choice = useMemo(() => readChoice(text), [text])
  return [choice, (next) => store.set(JSON.stringify(next))]
}
