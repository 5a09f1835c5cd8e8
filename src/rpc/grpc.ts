import {
  create,
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";

export interface CallOptions {
  /** Instead of the connection's own. There is no call without a deadline. */
  readonly timeoutSeconds?: number;
}

/** A service as its client sees it: one function a method, plain objects in, whole messages out. */
export type Calls<S extends DescService> = {
  readonly [M in keyof S["method"]]: (
    request: MessageInitShape<S["method"][M]["input"]>,
    options?: CallOptions,
  ) => Promise<MessageShape<S["method"][M]["output"]>>;
};

/** A service as its server sees it. What it throws becomes the status. */
export type Answers<S extends DescService> = {
  readonly [M in keyof S["method"]]: (
    request: MessageShape<S["method"][M]["input"]>,
  ) => MessageInitShape<S["method"][M]["output"]> | Promise<MessageInitShape<S["method"][M]["output"]>>;
};

/** For instance `/csi.v1.Controller/CreateVolume`. */
export function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** The service for a grpc-js server; handlers go by the methods' local names. */
export function definitionOf(service: DescService): ServiceDefinition {
  return Object.fromEntries(service.methods.map((method) => [method.localName, methodDefinition(method)]));
}

function methodDefinition(method: DescMethod): MethodDefinition<Message, Message> {
  return {
    path: pathOf(method),
    requestStream: false,
    responseStream: false,
    requestSerialize: (message) => Buffer.from(toBinary(method.input, message)),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    responseSerialize: (message) => Buffer.from(toBinary(method.output, create(method.output, message))),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  };
}
