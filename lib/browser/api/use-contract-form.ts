'use client';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { z } from 'zod';
import type { ApiError } from './api-client';

type Messages<Values extends FieldValues> = Partial<Record<FieldPath<Values>, string>>;

export interface ContractFormOptions<Values extends FieldValues, Schema extends z.ZodType> {
  /** What the API takes. */
  schema: Schema;
  defaultValues: Values;
  /** The request for what was typed. Default: the values are the request. */
  toRequest?: (values: Values) => z.input<Schema>;
  /** The form's field for a field of the request, by its path or the end of it, where their names differ. */
  fields?: Readonly<Record<string, FieldPath<Values>>>;
  /** What the schema cannot check, such as text that is no JSON. It wins over the schema's message. */
  check?: (values: Values) => Messages<Values>;
  /** The API's refusal of the last request. */
  error: ApiError | null;
  onSubmit: (request: z.input<Schema>) => void;
}

export interface ContractForm<Values extends FieldValues, Request = unknown>
  extends Pick<UseFormReturn<Values>, 'register' | 'watch' | 'setValue'> {
  /** A field's error, from the schema or the API. */
  problem: (field: FieldPath<Values>) => string | undefined;
  /** The props of a field's control, with its problem as `error`. */
  field: <Name extends FieldPath<Values>>(
    name: Name,
  ) => UseFormRegisterReturn<Name> & { error: string | undefined };
  /** The form's field for a field of the request. */
  fieldOf: (path: string) => FieldPath<Values> | undefined;
  /** What belongs to no field of the form. */
  error: string | null;
  /** The present input. */
  values: () => Values;
  /** The request of the present input, valid or not. */
  request: () => Request;
  /** Validates, then calls `onSubmit` or shows the errors. */
  submit: () => void;
}

/**
 * A form that checks its request by the contract's schema: on submit, and after that at every change. Messages of
 * the schema and of the API stand beside the field they are about.
 */
export function useContractForm<Values extends FieldValues, Schema extends z.ZodType>({
  schema,
  defaultValues,
  toRequest = (values) => values as z.input<Schema>,
  fields = {},
  check,
  error,
  onSubmit,
}: ContractFormOptions<Values, Schema>): ContractForm<Values, z.input<Schema>> {
  const fieldOf = (path: string): FieldPath<Values> | undefined => {
    const end = path.split('.').at(-1) ?? path;
    return fields[path] ?? fields[end] ?? (end in defaultValues ? (end as FieldPath<Values>) : undefined);
  };
  const resolver: Resolver<Values, unknown, Values> = (values) => {
    const messages = new Map(Object.entries(check?.(values) ?? {}));
    const { error: refused } = schema.safeParse(toRequest(values));
    const unplaced: string[] = [];
    for (const [path, message] of refused ? messagesOf(refused.issues) : []) {
      const field = fieldOf(path);
      if (field === undefined) unplaced.push(message);
      else if (!messages.has(field)) messages.set(field, message);
    }
    if (messages.size === 0 && unplaced[0]) messages.set('root', unplaced[0]);
    if (messages.size === 0) return { values, errors: {} };
    const errors = Object.fromEntries(
      [...messages].map(([field, message]) => [field, { type: 'contract', message }]),
    );
    return { values: {}, errors: errors as FieldErrors<Values> };
  };
  const form = useForm<Values, unknown, Values>({
    defaultValues: defaultValues as DefaultValues<Values>,
    resolver,
  });
  const { errors } = form.formState;
  const isPlaced =
    error !== null &&
    error.fields.length > 0 &&
    error.fields.every(({ field }) => fieldOf(field) !== undefined);
  const problem = (field: FieldPath<Values>) =>
    (errors[field]?.message as string | undefined) ??
    error?.fields.find((refused) => fieldOf(refused.field) === field)?.message;
  return {
    register: form.register,
    watch: form.watch,
    setValue: form.setValue,
    fieldOf,
    problem,
    field: (name) => ({ ...form.register(name), error: problem(name) }),
    error: errors.root?.message ?? (error && !isPlaced ? error.detail : null),
    values: form.getValues,
    request: () => toRequest(form.getValues()),
    submit: () => void form.handleSubmit((values) => onSubmit(toRequest(values)))(),
  };
}

/** Every message with its path. Of a union only the branch with the fewest issues counts: the one that was meant. */
export function* messagesOf(
  issues: readonly z.core.$ZodIssue[],
  parent: readonly PropertyKey[] = [],
): Generator<[path: string, message: string]> {
  for (const issue of issues) {
    const path = [...parent, ...issue.path];
    const [branch] =
      issue.code === 'invalid_union' ? [...issue.errors].sort((a, b) => a.length - b.length) : [];
    if (branch) yield* messagesOf(branch, path);
    else yield [path.map(String).join('.'), issue.message];
  }
}
