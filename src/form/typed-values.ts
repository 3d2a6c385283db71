/** Watches the values of a form, and restores values from a draft. */
import { TOGETHER } from '#schemas/changes/change-queue.ts'
import { createValueStore } from '#lib/value-store.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import type { StoredDraft } from './form-drafts.ts'

/** The part of a TanStack form that autosave uses. */
export interface ValuesOfForm {
  store: { subscribe(listener: () => void): { unsubscribe(): void } }
  state: { values: object }
  options: { defaultValues?: object }
  setFieldValue(name: string, value: unknown, options: { dontRunListeners: true }): void
  reset(): void
}

/** @param onTyped called when a value changes */
export function typedValues(form: ValuesOfForm, onTyped: () => void) {
  let seen = form.state.values
  const isRestored = createValueStore(false)
  return {
    changed: () => changedIn(form.state.values, form.options.defaultValues ?? {}),
    isRestored,
    /** Starts watching. @returns stops watching */
    watch(): () => void {
      const subscription = form.store.subscribe(() => {
        if (form.state.values === seen) return
        seen = form.state.values
        onTyped()
      })
      return () => subscription.unsubscribe()
    },
    reset() {
      form.reset()
      seen = form.state.values
      isRestored.set(false)
    },
    /** Restores a draft into the form. @returns false if the draft equals the initial values */
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
 * The values that the user has changed. An unchanged value is not stored in the draft, because it could later
 * overwrite a newer value of another person (sync RULES MG2). If one of several fields that are valid only
 * together has changed, all of them are stored.
 */
export function changedIn(values: object, defaults: object): object {
  const initial = new Map<string, unknown>(Object.entries(defaults))
  const all: [string, unknown][] = Object.entries(values)
  const changed = all.flatMap(([name, value]) => (isSameJson(value, initial.get(name)) ? [] : [name]))
  const together = changed.some((name) => TOGETHER.includes(name)) ? TOGETHER : []
  return Object.fromEntries(all.filter(([name]) => changed.includes(name) || together.includes(name)))
}

/**
 * Returns the values of a draft that differ from the form's initial values. A value whose type differs from the initial
 * one is left out, because another version of the app has stored it.
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

/** True for the ticks of a checklist. Stored ticks of another number are not restored: they would tick wrong items. */
const isTicks = (value: unknown): value is boolean[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'boolean')
