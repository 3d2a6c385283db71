/**
 * Validation rules that load after the form has rendered, because they need ArkType (decisions/forms). The first
 * submit, which is the first validation (spec 5), waits for them.
 */
import { useEffect, useState } from 'react'
import { loadedOnce } from '#lib/browser/missing-code.ts'
import type { FormSchema } from './use-draft-form.ts'

/** The part of an ArkType schema that a form uses. */
interface Rules {
  assert(value: unknown): unknown
  readonly '~standard': { validate(value: unknown): unknown }
}

export interface LazyRules<M> {
  /** Loads the module once per page. @throws if loading fails; the next call tries again */
  load(): Promise<void>
  /** Undefined before the module is loaded. */
  code(): M | undefined
}

export function lazyRules<M>(load: () => Promise<M>): LazyRules<M> {
  let code: M | undefined
  return { load: loadedOnce(async () => void (code = await load())), code: () => code }
}

/** Milliseconds after which an open form loads its rules. Filling in a form usually takes longer. */
const AFTER_MS = 1_000

/**
 * The schema of a form for `useDraftForm`.
 * @param make creates the schema from the loaded module, once per form
 */
export function useLazySchema<M, Draft>(
  rules: LazyRules<M>,
  make: (code: M) => Rules & { readonly infer: Draft },
): FormSchema<Draft> {
  const [schema] = useState(() => schemaOf(rules, make))
  useEffect(() => {
    // A first validation fills the caches of the rules, so that 保存 reacts quickly.
    const validate = () => void schema['~standard'].validate({})
    const timer = setTimeout(
      () =>
        void rules
          .load()
          .then(validate)
          .catch(() => undefined),
      AFTER_MS,
    )
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
