import type { Field } from '#schemas/declare/declare.ts'
import { isRequiredNow } from '#schemas/declare/form-values.ts'
import { isBlank } from '#schemas/text.ts'

/**
 * A validator that makes a field required if other fields have certain values.
 *
 *     <form.AppField
 *       name="reason1"
 *       validators={requiredIf<Values>(['type'], ({ type }) => type === QuickReportType.code.incomplete)}
 *     >
 *
 * @param others the fields that `needed` reads. A change of these fields validates this field again.
 */
export const requiredIf = <Values>(
  others: readonly (keyof Values & string)[],
  needed: (values: Values) => boolean,
) => ({
  onChangeListenTo: [...others],
  onDynamic: ({ value, fieldApi }: Validated<unknown>) =>
    isEmpty(value) && needed(fieldApi.form.state.values as Values) ? 'ec00001' : undefined,
})

/** The part of a validator's argument that is used here. */
interface Validated<Values> {
  value: unknown
  fieldApi: { form: { state: { values: Values } } }
}

/** Returns the validators for `requiredWhile` and `sameAs` of a declared field, which read other fields (spec 5). */
export function crossRules(field: Field | undefined): { validators?: object } {
  if (!field?.requiredWhile && field?.sameAs === undefined) return {}
  const { requiredWhile = {}, sameAs } = field
  const isSentence = field.kind === 'text' && field.wording === 'sentence'
  return {
    validators: {
      onChangeListenTo: [...Object.keys(requiredWhile), ...(sameAs === undefined ? [] : [sameAs])],
      onDynamic({ value, fieldApi }: Validated<object>) {
        const { values } = fieldApi.form.state
        if (isEmpty(value) && isRequiredNow(field, values)) return isSentence ? 'requiredSentence' : 'ec00001'
        const isOther = sameAs !== undefined && value !== Reflect.get(values, sameAs)
        return isOther ? 'mismatch' : undefined
      },
    },
  }
}

/** True if a schema would also treat the value as empty (`text-rules.ts`). */
const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && isBlank(value)) ||
  (Array.isArray(value) && value.length === 0)
