/**
 * Validation rules that load after the form has rendered. They need ArkType, and no screen waits for ArkType
 * (decisions/forms). Nothing is validated before the first submit (spec 5), which waits for the rules.
 */
import { useEffect, useState } from 'react'
import { loadedOnce } from '#lib/browser/loaded-once.ts'
import type { FormSchema } from './use-draft-form.ts'

/** The part of an ArkType schema that a form uses. */
interface Rules {
  assert(value: unknown): unknown
  readonly '~standard': { validate(value: unknown): unknown }
}

export interface LazyRules<M> {
  /** Loads the code once per page. @throws if loading fails; the next call tries again */
  load(): Promise<void>
  /** Undefined until the code is loaded. */
  code(): M | undefined
}

/** @param load imports the module with the rules */
export function lazyRules<M>(load: () => Promise<M>): LazyRules<M> {
  let code: M | undefined
  return {
    load: loadedOnce(async () => {
      code = await load()
    }),
    code: () => code,
  }
}

/** Delay in ms before the rules are preloaded; most forms take longer to fill in. A submit retries a failed load. */
const AFTER_MS = 1_000

/**
 * Returns the schema of a form for `useDraftForm`.
 * @param make creates the schema from the module's exports, once per form
 */
export function useLazySchema<M, Draft>(
  rules: LazyRules<M>,
  make: (code: M) => Rules & { readonly infer: Draft },
): FormSchema<Draft> {
  const [schema] = useState(() => schemaOf(rules, make))
  useEffect(() => {
    // A first validation builds what the rules cache, so that the tap on 保存 is fast.
    const ahead = async () => {
      await rules.load()
      schema['~standard'].validate({})
    }
    const timer = setTimeout(() => void ahead().catch(() => undefined), AFTER_MS)
    return () => clearTimeout(timer)
  }, [rules, schema])
  return schema
}

function schemaOf<M>({ load, code }: LazyRules<M>, make: (code: M) => Rules) {
  let made: Rules | undefined
  const known = () => {
    const loaded = code()
    return (made ??= loaded && make(loaded))
  }
  return {
    ready: () => (code() ? null : load()),
    assert(value: unknown) {
      const schema = known()
      if (!schema) throw new Error('form: submitted before its rules were there')
      return schema.assert(value)
    },
    '~standard': {
      version: 1,
      vendor: 'genba',
      validate: (value: unknown) => known()?.['~standard'].validate(value) ?? { value },
    },
  }
}
