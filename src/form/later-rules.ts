/**
 * The rules of a form that come after it: they are ArkType's, and no screen waits for ArkType to be drawn
 * (decisions/forms). Nothing is judged before the first submit (spec 5), which waits for them.
 */
import { useEffect, useState } from 'react'
import { loadedOnce } from '#lib/browser/loaded-once.ts'
import type { FormSchema } from './use-draft-form.ts'

/** ArkType's, as far as a form needs it. */
interface Rules {
  assert(value: unknown): unknown
  readonly '~standard': { validate(value: unknown): unknown }
}

export interface LaterRules<M> {
  /** For all forms of this page. @throws where the code cannot be had; the next call asks for it again */
  load(): Promise<void>
  /** Undefined until they are loaded. */
  code(): M | undefined
}

/** @param load the module that has them */
export function laterRules<M>(load: () => Promise<M>): LaterRules<M> {
  let code: M | undefined
  return {
    load: loadedOnce(async () => {
      code = await load()
    }),
    code: () => code,
  }
}

/** Most forms take longer to fill in. A submit asks again for what could not be had. */
const AFTER_MS = 1_000

/**
 * The schema of a form, as `useDraftForm` takes it.
 * @param make once for a form, of what the module exports
 */
export function useLaterRules<M, Draft>(
  rules: LaterRules<M>,
  make: (code: M) => Rules & { readonly infer: Draft },
): FormSchema<Draft> {
  const [schema] = useState(() => schemaOf(rules, make))
  useEffect(() => {
    // what a rule makes when it is first used is made before the tap on 保存, too
    const ahead = async () => {
      await rules.load()
      schema['~standard'].validate({})
    }
    const timer = setTimeout(() => void ahead().catch(() => undefined), AFTER_MS)
    return () => clearTimeout(timer)
  }, [rules, schema])
  return schema
}

function schemaOf<M>({ load, code }: LaterRules<M>, make: (code: M) => Rules) {
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
