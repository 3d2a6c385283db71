/** The values of a form: one hears when they are typed, and they are put back from a draft. */
import { TOGETHER } from '#schemas/change-queue.ts'
import { createFlag } from '#lib/flag.ts'
import { isSame } from '#lib/is-same.ts'
import type { KeptDraft } from './form-drafts.ts'

/** The part of a form that is looked at. */
export interface ValuesOfForm {
  store: { subscribe(listener: () => void): { unsubscribe(): void } }
  state: { values: object }
  options: { defaultValues?: object }
  setFieldValue(name: string, value: unknown, options: { dontRunListeners: true }): void
  reset(): void
}

/** @param onTyped the values are others than before */
export function typedValues(form: ValuesOfForm, onTyped: () => void) {
  let seen = form.state.values
  const isRestored = createFlag(false)
  const look = () => {
    if (form.state.values === seen) return
    seen = form.state.values
    onTyped()
  }
  return {
    /** What is kept of the form: what its user has changed of it. */
    changed: () => changedIn(form.state.values, form.options.defaultValues ?? {}),
    /** The form opened with what was kept. */
    isRestored,
    /** @returns ends it */
    watch(): () => void {
      const subscription = form.store.subscribe(look)
      return () => subscription.unsubscribe()
    },
    /** As the form opens without a draft. */
    reset() {
      form.reset()
      seen = form.state.values
      isRestored.set(false)
    },
    /** @returns whether the draft has anything that the form does not start with */
    putBack({ values, hasPhotos }: KeptDraft): boolean {
      const fields = restorable(values, form.options.defaultValues ?? {})
      if (fields.length === 0 && !hasPhotos) return false
      for (const [name, value] of fields) form.setFieldValue(name, value, { dontRunListeners: true })
      seen = form.state.values
      isRestored.set(true)
      return true
    },
  }
}

/**
 * What a form's user has changed. The rest is the record's as it was when the form opened: kept too, it would come back over
 * what others have written since, and be sent as if it had been typed (sync RULES MG2). Fields that make sense only together
 * are kept together.
 */
export function changedIn(values: object, defaults: object): object {
  const initial = new Map<string, unknown>(Object.entries(defaults))
  const all: [string, unknown][] = Object.entries(values)
  const changed = all.filter(([name, value]) => !isSame(value, initial.get(name))).map(([name]) => name)
  const isWhole = changed.some((name) => TOGETHER.includes(name))
  return Object.fromEntries(
    all.filter(([name]) => changed.includes(name) || (isWhole && TOGETHER.includes(name))),
  )
}

/**
 * What of a draft a form takes.
 * @returns the values that are of a field's kind and not what it starts with: what another version kept is left out
 */
export function restorable(kept: unknown, defaults: object): [name: string, value: unknown][] {
  if (typeof kept !== 'object' || kept === null) return []
  const values = new Map<string, unknown>(Object.entries(kept))
  return Object.entries(defaults).flatMap(([name, initial]: [string, unknown]) => {
    const value = values.get(name)
    const isOfKind = typeof value === typeof initial && Array.isArray(value) === Array.isArray(initial)
    const isWhole = !isTicks(initial) || (Array.isArray(value) && value.length === initial.length)
    return isOfKind && isWhole && !isSame(value, initial) ? [[name, value]] : []
  })
}

/** Each stands for a line of a list: of a list that another version had longer or shorter they would tick other lines. */
const isTicks = (value: unknown): value is boolean[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'boolean')
