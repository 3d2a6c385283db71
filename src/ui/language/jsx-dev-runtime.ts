/** The JSX runtime of development and tests, otherwise equal to `jsx-runtime.ts`. */
import { Fragment, jsxDEV as reactJsxDEV } from 'react/jsx-dev-runtime'
import { localizedProps, type Props } from './marked-text.ts'

export { Fragment }

export const jsxDEV: typeof reactJsxDEV = (type, props, ...rest) =>
  reactJsxDEV(type, localizedProps(type, props as Props), ...rest)
