; After queries/highlights.scm for Helix, whose themes have other names for these.

(integer) @constant.numeric.integer
(integer_list) @constant.numeric.integer
(version_number) @constant.numeric.float
(float) @constant.numeric.float
(selector) @variable.other.member
