/** @module-tag slow */
import { testOperations } from "../harness/rest-operations.ts";

testOperations(["bEARER", "read token", "write token"]);
