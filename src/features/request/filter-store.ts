import { type } from 'arktype'
import { useMemo } from 'react'
import { useServices, useValue } from '#data/app-context.tsx'
import { DEFAULT_CHOICE, filterChoice, type FilterChoice } from './filter.ts'

const stored = type('string.json.parse').to(filterChoice)

/** What was chosen in this tab; the usual choice where nothing, or nothing readable, is kept. */
export function readChoice(text: string | null): FilterChoice {
  const choice = stored(text ?? '')
  return choice instanceof type.errors ? DEFAULT_CHOICE : choice
}

/** The conditions of 依頼検索, kept for this tab. */
export function useFilterChoice(): [FilterChoice, (choice: FilterChoice) => void] {
  const store = useServices().memory.store('request-filter')
  const text = useValue(store)
  const choice = useMemo(() => readChoice(text), [text])
  return [choice, (next) => store.set(JSON.stringify(next))]
}
