/** Observes the values of a form and restores them from a draft. */
import { TOGETHER } from '#schemas/changes/change-queue.ts'
import { createValueStore } from '#lib/value-store.ts'
import { isSameJson } from '#lib/is-same.ts'
import type { StoredDraft } from './form-drafts.ts'

/** The part of a TanStack form that autosave uses. */
export interface ValuesOfForm {
  store: { subscribe(listener: () => void): { unsubscribe(): void } }
  state: { values: object }
  options: { defaultValues?: object }
  setFieldValue(name: string, value: unknown, options: { dontRunListeners: true }): void
  reset(): void
}

/** @param onTyped called when the values change */
export function typedValues(form: ValuesOfForm, onTyped: () => void) {
  let seen = form.state.values
  const isRestored = createValueStore(false)
  const notify = () => {
    if (form.state.values === seen) return
    seen = form.state.values
    onTyped()
  }
  return {
    /** Returns the values that the user has changed. Only these are stored. */
    changed: () => changedIn(form.state.values, form.options.defaultValues ?? {}),
    /** True if the form opened with a restored draft. */
    isRestored,
    /** Starts observing. @returns stops it */
    watch(): () => void {
      const subscription = form.store.subscribe(notify)
      return () => subscription.unsubscribe()
    },
    /** Resets the form to its state without a draft. */
    reset() {
      form.reset()
      seen = form.state.values
      isRestored.set(false)
    },
    /** Restores a draft into the form. @returns false if the draft does not differ from the initial values */
    putBack({ values, hasPhotos }: StoredDraft): boolean {
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
 * Returns the values that the user has changed. Unchanged values belong to the record: stored in the draft, they
 * would later overwrite newer values of others and be sent as if typed (sync RULES MG2). Fields that are only valid
 * together are stored together.
 */
export function changedIn(values: object, defaults: object): object {
  const initial = new Map<string, unknown>(Object.entries(defaults))
  const all: [string, unknown][] = Object.entries(values)
  const changed = all.filter(([name, value]) => !isSameJson(value, initial.get(name))).map(([name]) => name)
  const isWhole = changed.some((name) => TOGETHER.includes(name))
  return Object.fromEntries(
    all.filter(([name]) => changed.includes(name) || (isWhole && TOGETHER.includes(name))),
  )
}

/**
 * Returns the draft values that fit the form.
 * @returns values of the field's type that differ from its initial value; values of another app version
 * that do not fit are dropped
 */
export function restorable(stored: unknown, defaults: object): [name: string, value: unknown][] {
  if (typeof stored !== 'object' || stored === null) return []
  const values = new Map<string, unknown>(Object.entries(stored))
  return Object.entries(defaults).flatMap(([name, initial]: [string, unknown]) => {
    const value = values.get(name)
    const isOfKind = typeof value === typeof initial && Array.isArray(value) === Array.isArray(initial)
    const isWhole = !isTicks(initial) || (Array.isArray(value) && value.length === initial.length)
    return isOfKind && isWhole && !isSameJson(value, initial) ? [[name, value]] : []
  })
}

/** True for the ticks of a checklist, one per line. A draft with another number of ticks would tick the wrong lines. */
const isTicks = (value: unknown): value is boolean[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'boolean')
