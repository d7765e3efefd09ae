type BaseNode = {
  type: string;
  named: boolean;
};

type ChildNode = {
  multiple: boolean;
  required: boolean;
  types: BaseNode[];
};

type NodeInfo = BaseNode & {
  subtypes?: BaseNode[];
  fields?: { [name: string]: ChildNode };
  children?: ChildNode;
};

type Binding = {
  /** The argument for `Parser.setLanguage` of node-tree-sitter, together with the properties beside it. */
  language: unknown;
  name: "ptx";
  nodeTypeInfo: NodeInfo[];
  readonly HIGHLIGHTS_QUERY: string;
  readonly INJECTIONS_QUERY: string;
  readonly LOCALS_QUERY: string;
  readonly TAGS_QUERY: string;
  readonly FOLDS_QUERY: string;
  readonly INDENTS_QUERY: string;
  readonly TEXTOBJECTS_QUERY: string;
};

declare const binding: Binding;
export = binding;
